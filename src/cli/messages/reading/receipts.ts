import { boardOf, type Actor } from "../../acting/acting.ts";
import type { Answer } from "../../frame/command.ts";
import type { Cli } from "../../frame/cli.ts";
import type { Operations } from "../../../contract/index.ts";
import type { Output } from "../../../contract/operation.ts";
import { messagePlace, readable } from "../message-reference.ts";
import { header } from "../message-text.ts";
import { oneLine } from "../../terminal/clean.ts";
import { columns, counted } from "../../terminal/table.ts";
import type { ReadFlags } from "../read-form.ts";

type Receipts = Output<Operations["getReceipts"]>;

/** What an urgent message may do at another agent of its sender's person. */
const hints = {
  peer_if_supported: "may reach it during a turn",
  owner_only: "only its person reaches it during a turn",
};

/** Reports whom a message has reached. A number needs a board; an id and `BOARD#6` do not. */
export async function readReceipts(
  cli: Cli,
  actor: Actor,
  flags: ReadFlags & { readonly board?: string | undefined },
): Promise<Answer> {
  const text = flags.receipts!;
  const named = /^msg_|^[a-z0-9-]+#/.test(text) ? (flags.board ?? "") : null;
  const board = named ?? (await boardOf(cli, actor, flags));
  const place = { ...actor, board };
  const params = await messagePlace(place, text);
  const receipts = await readable(place, text, actor.api.call("getReceipts", { params }));
  return { json: receipts, text: receiptsText(receipts) };
}

function receiptsText({ board, seq, to_everyone, available, recipients }: Receipts): string {
  if (to_everyone) return `#${seq} on ${board} went to everyone, so it has no receipts.`;
  if (!available) return `#${seq} on ${board} is older than receipts.`;
  if (recipients.length === 0) return `#${seq} on ${board} has no recipient who is still there.`;
  const rows = recipients.map(({ member, state, presence, queued, midturn_hint: hint }) => [
    `@${oneLine(member.name)}`,
    state,
    presence === "no_session" ? "disconnected" : (presence ?? ""),
    queued ? "waits for the end of its turn" : "",
    hint ? hints[hint] : "",
  ]);
  const count = counted(recipients.length, "recipient", "recipients");
  return `${header(board, `#${seq}`, count)}\n${columns(rows)}`;
}
