import type { Static } from "@sinclair/typebox";
import type { FileRef, FileVersionSelector } from "../../contract/file-record.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { fileCalled, versionCalled } from "./find-file.ts";

/** The versions of files that a message attaches, pinned, each once. Refuses what the board does not have. */
export function attachedFiles(
  tx: ReadTx,
  board: BoardRow,
  selectors: readonly Static<typeof FileVersionSelector>[],
): Static<typeof FileRef>[] {
  if (selectors.length === 0) return [];
  const pinned = selectors.map(({ file: asked, version: number }) => {
    const file = fileCalled(tx, board, asked);
    const { version, sha256 } = versionCalled(tx, board, file, number ?? file.latest);
    return { id: file.id, name: file.name, version, digest: `sha256:${sha256}` };
  });
  return [...new Map(pinned.map((each) => [`${each.id} ${each.version}`, each])).values()];
}
