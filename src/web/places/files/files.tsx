import type { BoardPlace } from "../../core/screen/router.ts";
import { FileList } from "./list.tsx";
import { OneFile } from "./file.tsx";

/** The files of a board, or one of them. */
export function Files({ place: { board, item } }: { place: BoardPlace }) {
  return item === null ? (
    <FileList key={board} board={board} />
  ) : (
    <OneFile key={`${board} ${item}`} board={board} item={item} />
  );
}
