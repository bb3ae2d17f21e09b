import type { Agent } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { quietApi } from "../connection/quiet-api.ts";
import type { Message } from "./message-types.ts";

/** An ask as it is now, and the number of open asks that block its task; null if that is not known. */
export interface OwnAsk {
  readonly message: Message;
  readonly blocks: number | null;
}
/** An agent's own asks by their ids; null for one that could not be read. */
export type OwnAsks = ReadonlyMap<string, OwnAsk | null>;

/** The agent's own asks that some messages answer. An ask that cannot be read is null, and no error is thrown. */
export async function ownAsksIn(
  cli: Cli,
  { server, seat }: Agent,
  messages: readonly Message[],
): Promise<OwnAsks> {
  const ids = new Set(
    messages
      .filter(({ answer, reply_to_from }) => answer && reply_to_from === seat.name)
      .map(({ answer }) => answer!.ask_id),
  );
  if (ids.size === 0) return new Map();
  const api = quietApi(cli, server, seat.token);
  const read = async (id: string): Promise<[string, OwnAsk | null]> => {
    const status = await api.call("getMessage", { params: { message: id } }).catch(() => null);
    if (!status) return [id, null];
    const { board, ask } = status.message;
    const params = ask?.blocking && ask.task && { board, task: ask.task.id };
    const task = params ? await api.call("getTask", { params }).catch(() => null) : null;
    return [id, { message: status.message, blocks: task?.blocked_count ?? null }];
  };
  return new Map(await Promise.all([...ids].map(read)));
}
