import type { EventData } from "../../contract/log.ts";
import { askAt } from "../../db/asks.ts";
import type { Tx } from "../../db/engine/database.ts";
import { fileVersion, fileWithId } from "../../db/files.ts";
import { placeOfMessage, postedAt } from "../../db/messages.ts";
import type { Standing } from "../access/caller-standing.ts";
import { approve } from "../files/approvals.ts";

/**
 * Records the approvals that an answer gives: of every version that the ask cites, if the ask wants an approval and the
 * person who was asked chose the first option. An approval that exists is not recorded again. No other answer approves.
 */
export function approveByAnswer(
  tx: Tx,
  standing: Standing<"on-board">,
  { ask_id, option }: NonNullable<EventData<"message.posted">["answer"]>,
): void {
  if (option !== 1) return;
  const place = placeOfMessage(tx, ask_id)!;
  // The asking agent's own person may answer too, but the ask wanted somebody else's approval.
  if (askAt(tx, place)!.member_row !== standing.me.row) return;
  const { ask, files = [] } = postedAt(tx, place).data;
  if (!ask?.approval) return;
  for (const { id, version } of files) {
    const file = fileWithId(tx, id)!;
    approve(tx, standing, file, fileVersion(tx, file.row, version)!);
  }
}
