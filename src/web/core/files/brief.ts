import { api, ApiError } from "../connection/api.ts";
import { followed, type Followed } from "../boards/followed.ts";
import type { ShownFile } from "./files.ts";
import { sendBytes } from "./send-bytes.ts";

/** The brief of a board, or that it has none. */
export interface Brief {
  readonly file: ShownFile | null;
}

/** The brief of a board with its versions and what happened since. It follows the board's news. */
export const followBrief = (board: string): Followed<Brief> =>
  followed(
    board,
    ({ type }) => /^(file|message|task)\./.test(type),
    async () => {
      const { brief } = await api.call("getBoard", { params: { board } });
      if (!brief) return { file: null };
      const file = await api.call("getFile", { params: { board, file: brief.file_id } });
      return { file: { ...file, isRemoved: false } };
    },
  );

/** The version on which somebody writes: null for the first one of a board. */
export type BriefBase = Pick<ShownFile, "id" | "name"> & { readonly version: number };

/** Writes the next version of the brief. Throws `ApiError` `file_changed` if there is a newer one. */
export async function writeBrief(
  board: string,
  text: string,
  base: BriefBase | null,
  key: string,
): Promise<void> {
  const name = base?.name ?? "brief.md";
  const query = {
    name,
    brief: true,
    ...(base && { base: base.version, file_id: base.id }),
  };
  await sendBytes(board, query, new Blob([text]), key, () => {}).answer;
}

/** Whether a version was refused because somebody was quicker. */
export const isQuicker = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === "file_changed" || error.code === "brief_exists");
