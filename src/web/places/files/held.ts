import { signal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { boardOf } from "../../core/boards/board.ts";
import type { Followed } from "../../core/boards/followed.ts";
import { isGuest } from "../../core/connection/session.ts";
import { upload, type Upload } from "../../core/files/uploads.ts";

/** Follows something as long as a component is there. */
export function useFollowed<F extends Pick<Followed<unknown>, "end">>(
  make: () => F,
  of: readonly unknown[],
): F {
  const one = useMemo(make, of);
  useEffect(() => one.end, [one]);
  return one;
}

/** Whether the person may write files on a board: it is in use, and they are no guest. */
export const mayWrite = (board: string): boolean =>
  boardOf(board).info.value?.lifecycle === "active" && !isGuest.value;

const byBoard = new Map<string, Signal<readonly Upload[]>>();

/** The uploads of this tab to a board that the person still sees. They go on whatever is shown. */
export function uploadsTo(board: string): Signal<readonly Upload[]> {
  const known = byBoard.get(board) ?? signal<readonly Upload[]>([]);
  byBoard.set(board, known);
  return known;
}

/** Adds files to a board. With `name` and `base` the first one becomes the next version of that file. */
export function addFiles(
  board: string,
  files: readonly File[],
  as?: { readonly name: string; readonly base: number; readonly file_id: string },
): void {
  const list = uploadsTo(board);
  const begun = files.map((file, at) =>
    upload(board, file, as && at === 0 ? as : { name: file.name }),
  );
  list.value = [...list.value, ...begun];
}

/** Shows an upload of this board. */
export function showUpload(one: Upload): void {
  const list = uploadsTo(one.board);
  list.value = [...list.value, one];
}

/** Shows an upload no more, and stops it if it is on its way. */
export function dropUpload(one: Upload): void {
  one.stop();
  const list = uploadsTo(one.board);
  list.value = list.value.filter((other) => other !== one);
}
