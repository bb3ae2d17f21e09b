import { mostWokenByMention } from "../../contract/limits.ts";
import type { EventData } from "../../contract/log.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { holdersOf, memberNamed, type MemberRow } from "../../db/members.ts";
import { mentionsIn, type WrittenMention } from "../../contract/mentions.ts";

type Mention = EventData<"message.posted">["mentions"][number];

/** The members that a text mentions: each once, in order of first mention, without the sender. `mayRead` says who can read the message. */
export function resolveMentions(
  tx: ReadTx,
  board: BoardRow,
  sender: MemberRow,
  body: string,
  mayRead: (member: MemberRow) => boolean,
): Mention[] {
  const mentions = mentionsIn(body);
  if (mentions.length === 0) return [];
  const seen = new Set([sender.row]);
  let woken = 0;
  // A name that is repeated a thousand times is looked up once.
  const written = new Map(mentions.map((mention) => [mention.text, mention]));
  return [...written.values()].flatMap((mention) =>
    mentioned(tx, board, mention).flatMap((member): Mention[] => {
      if (seen.has(member.row)) return [];
      seen.add(member.row);
      const reason = member.kind === "human" || mayRead(member) ? null : "cannot_read";
      const wakes = member.kind === "agent" && reason === null && woken < mostWokenByMention;
      if (wakes) woken++;
      return [
        {
          id: member.id,
          kind: member.kind,
          name: member.name,
          text: mention.text,
          wakes,
          reason: member.kind === "agent" && !wakes ? (reason ?? "limit") : reason,
        },
      ];
    }),
  );
}

function mentioned(tx: ReadTx, board: BoardRow, { name, role }: WrittenMention): MemberRow[] {
  if (role !== null) return holdersOf(tx, board.row, role);
  const member = memberNamed(tx, board.row, name ?? "");
  return member?.status === "active" ? [member] : [];
}
