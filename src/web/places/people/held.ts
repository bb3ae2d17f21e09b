import type { OutputOf } from "../../../contract/index.ts";
import { api } from "../../core/connection/api.ts";
import type { Member } from "../../core/boards/board.ts";

/** A task that somebody works on. */
export type HeldTask = OutputOf<"listTasks">["tasks"][number];
/** A code that was handed out for a board. */
export type Code = OutputOf<"listJoinCodes">["join_codes"][number];

/** The tasks of a board that somebody works on. */
export async function openTasksOf(board: string): Promise<readonly HeldTask[]> {
  const query = { state: "in_progress", limit: 200 } as const;
  return (await api.call("listTasks", { params: { board }, query })).tasks;
}

/** Those of the tasks that one of the members owns. */
export const heldBy = (
  tasks: readonly HeldTask[],
  members: readonly Pick<Member, "name">[],
): readonly HeldTask[] =>
  tasks.filter(({ owner }) => members.some(({ name }) => name === owner?.name));

/** The codes of a board that work now, as far as the reader may see them. */
export async function codesOf(board: string): Promise<readonly Code[]> {
  return (await api.call("listJoinCodes", { params: { board } })).join_codes;
}

/** Those of the codes that one of the members made. */
export const madeBy = (
  codes: readonly Code[],
  members: readonly Pick<Member, "name">[],
): readonly Code[] =>
  codes.filter(({ created_by }) => members.some(({ name }) => name === created_by.name));
