import type { Tx } from "../../db/database.ts";
import { askAt } from "../../db/asks.ts";
import { fileVersion, fileWithId } from "../../db/files.ts";
import { postedAt } from "../../db/messages.ts";
import type { Standing } from "../access.ts";
import { approve } from "./approvals.ts";

/**
 * Approves what an ask for approval attached, once the person it asks has answered with its first option: those very
 * versions, whatever was written since. The asker's own person decides without approving.
 */
export function approveCited(
  tx: Tx,
  standing: Standing<"on-board">,
  askPlace: number,
  option: number | null,
): void {
  const ask = option === 1 ? askAt(tx, askPlace) : null;
  if (ask?.member_row !== standing.me.row) return;
  const { data } = postedAt(tx, askPlace);
  if (!data.ask?.approval) return;
  for (const { id, version } of data.files ?? []) {
    const file = fileWithId(tx, id)!;
    approve(tx, standing, file, fileVersion(tx, file.row, version)!);
  }
}
