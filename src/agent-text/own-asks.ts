import type { OutputOf } from "../contract/index.ts";
import type { Message } from "./message-element.ts";

/** An ask as it is now, and the number of open asks that block its task; null if that is not known. */
export interface OwnAsk {
  readonly message: Message;
  readonly blocks: number | null;
}
/** An agent's own asks by their ids; null for one that could not be read. */
export type OwnAsks = ReadonlyMap<string, OwnAsk | null>;

/** How an ask and its task are read. Both may fail. */
export interface AskReader {
  message(id: string): Promise<OutputOf<"getMessage">>;
  task(board: string, id: string): Promise<OutputOf<"getTask">>;
}

/** Whether a message answers an ask of the agent with this name. */
export const answersAskOf = (name: string, { answer, reply_to_from }: Message): boolean =>
  answer !== undefined && reply_to_from === name;

/** The asks of an agent that some messages answer. An ask that cannot be read is null, and no error is thrown. */
export async function ownAsksIn(
  reader: AskReader,
  name: string,
  messages: readonly Message[],
): Promise<OwnAsks> {
  const answers = messages.filter((message) => answersAskOf(name, message));
  const ids = new Set(answers.map(({ answer }) => answer!.ask_id));
  const read = async (id: string): Promise<[string, OwnAsk | null]> => {
    const status = await reader.message(id).catch(() => null);
    if (!status) return [id, null];
    const { board, ask } = status.message;
    const blocked = ask?.blocking ? ask.task : null;
    const task = blocked ? await reader.task(board, blocked.id).catch(() => null) : null;
    return [id, { message: status.message, blocks: task?.blocked_count ?? null }];
  };
  return new Map(await Promise.all([...ids].map(read)));
}
