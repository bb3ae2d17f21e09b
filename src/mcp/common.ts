import { refuse } from "../contract/refusal.ts";
import type { Caller } from "./caller.ts";
import type { Message } from "./texts.ts";

/** The board of the agent. */
export async function boardOf(caller: Caller): Promise<string> {
  return (await caller.call("getMe")).board!;
}

/** A message by its number on the agent's board. Refuses one that is not there, or that the agent may not read. */
export async function messageAt(caller: Caller, board: string, seq: number): Promise<Message> {
  const query = { after: seq - 1, limit: 1 };
  const { messages } = await caller.call("listMessages", { params: { board }, query });
  if (messages[0]?.seq === seq) return messages[0];
  throw refuse("message_not_found");
}

/** Only the entries that have a value. */
export const given = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
