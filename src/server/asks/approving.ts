import type { EventData } from "../../contract/log.ts";
import { askAt } from "../../db/asks.ts";
import type { Tx } from "../../db/engine/database.ts";
import { fileVersion, fileWithId } from "../../db/files.ts";
import { placeOfMessage, postedAt } from "../../db/messages.ts";
import type { Standing } from "../access/standing.ts";
import { approve } from "../files/approvals.ts";

/**
 * Records what an answer approves: every version that the ask cites, if it asks for an approval and the person asked chose
 * the first option. What that person approves already is not recorded again. Every other answer approves nothing.
 */
export function approveByAnswer(
  tx: Tx,
  standing: Standing<"on-board">,
  { ask_id, option }: NonNullable<EventData<"message.posted">["answer"]>,
): void {
  if (option !== 1) return;
  const place = placeOfMessage(tx, ask_id)!;
  // The asking agent's own person may answer too, but what was asked for is somebody else's approval.
  if (askAt(tx, place)!.member_row !== standing.me.row) return;
  const { ask, files = [] } = postedAt(tx, place).data;
  if (!ask?.approval) return;
  for (const { id, version } of files) {
    const file = fileWithId(tx, id)!;
    approve(tx, standing, file, fileVersion(tx, file.row, version)!);
  }
}
