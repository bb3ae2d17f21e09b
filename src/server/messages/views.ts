import type { Static } from "@sinclair/typebox";
import type { Message, ReactionName } from "../../contract/message.ts";
import { reactions } from "../../contract/words.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import {
  hasAgentsOfSeveral,
  memberAt,
  type MemberAndHandle,
  type MemberRow,
} from "../../db/members.ts";
import { reactionsTo, type ReactionRow } from "../../db/reactions.ts";
import type { Posted, Rendering } from "../../db/engine/log-caches.ts";
import { postedAt, type MessageRow } from "../../db/messages.ts";
import { seqOf } from "../../db/log/log-place.ts";
import { showsHarness } from "../agents/views.ts";
import { askParts, isOfAnAsk } from "../asks/views.ts";

type MessageRecord = Static<typeof Message>;

/** Messages of one board, in the order given, as a member of it sees them. */
export function messageRecords(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  rows: readonly MessageRow[],
): MessageRecord[] {
  const view = viewOf(tx, board, me, reactionsOf(tx, rows));
  return rows.map((row) => messageRecord(row, postedAt(tx, row.place), view));
}

/** Greatest number of cached renderings of one message: for its owner, other people, an agent, and one more. */
const mostLooks = 4;

/**
 * Messages of one board as JSON texts, in the order given. One rendering serves all readers for whom the message looks
 * alike. Messages with reactions, asks and answers are rendered each time. `reactions` are those to the messages.
 */
export function messageTexts(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  rows: readonly MessageRow[],
  reactions: readonly ReactionRow[] = reactionsOf(tx, rows),
): string[] {
  const view = viewOf(tx, board, me, reactions);
  const looks = new Map<number, string>();
  const lookOf = (senderRow: number): string => {
    let look = looks.get(senderRow);
    if (look === undefined) looks.set(senderRow, (look = newLook(senderRow, view)));
    return look;
  };
  return rows.map((row) => {
    const posted = () => postedAt(tx, row.place);
    const render = () => JSON.stringify(messageRecord(row, posted(), view));
    if (view.reactions.has(row.place)) return render();
    const look = lookOf(row.sender_row);
    const known = tx.logCaches.rendered.recall(row.place) ?? [];
    const same = known.find((rendering) => isOf(rendering, row, look));
    if (same) return same.text;
    const text = render();
    if (isOfAnAsk(posted().data)) return text;
    const { reply_count: replies, last_reply_at: lastReply, reply_to_from: answered } = row;
    const newest = { text, look, replies, lastReply, answered };
    const renderings = [...known.slice(1 - mostLooks), newest];
    const size = renderings.reduce((sum, rendering) => sum + rendering.text.length, 0);
    tx.logCaches.rendered.keep(row.place, renderings, size);
    return text;
  });
}

const newLook = (senderRow: number, view: View): string => {
  const sender = senderOf(senderRow, view);
  return `${relationOf(sender, view.me)} ${view.harness} ${view.severalOwners} ${sender.name} ${sender.handle}`;
};

const isOf = (known: Rendering, row: MessageRow, look: string): boolean =>
  known.look === look &&
  known.replies === row.reply_count &&
  known.lastReply === row.last_reply_at &&
  known.answered === row.reply_to_from;

/** The reactions to messages. */
export const reactionsOf = (tx: ReadTx, rows: readonly MessageRow[]): ReactionRow[] =>
  reactionsTo(
    tx,
    rows.map(({ place }) => place),
  );

/** A message that was just posted, as its sender sees it. It has no replies and no reactions yet. */
export const postedRecord = (
  tx: ReadTx,
  board: BoardRow,
  me: MemberAndHandle,
  row: MessageRow,
  posted: Posted,
): MessageRecord => {
  const view = viewOf(tx, board, me, []);
  view.senders.set(me.row, me);
  return messageRecord(row, posted, view);
};

const viewOf = (
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  reactions: readonly ReactionRow[],
): View => ({
  board,
  me,
  harness: showsHarness(board, me),
  severalOwners: hasAgentsOfSeveral(tx, board.row),
  reactions: Map.groupBy(reactions, ({ place }) => place),
  senders: new Map(),
  tx,
});

interface View {
  readonly board: BoardRow;
  readonly me: MemberRow;
  readonly harness: boolean;
  readonly severalOwners: boolean;
  readonly reactions: ReadonlyMap<number, readonly ReactionRow[]>;
  /** Senders that were already read: many messages of a page have few senders. */
  readonly senders: Map<number, MemberAndHandle>;
  readonly tx: ReadTx;
}

function senderOf(row: number, { senders, tx }: View): MemberAndHandle {
  let sender = senders.get(row);
  if (!sender) senders.set(row, (sender = memberAt(tx, row)!));
  return sender;
}

function messageRecord(row: MessageRow, { at, data }: Posted, view: View): MessageRecord {
  const sender = senderOf(row.sender_row, view);
  const agent = sender.kind === "agent";
  const own = sender.row === view.me.row;
  return {
    id: data.message_id,
    board: view.board.name,
    seq: seqOf(row.place),
    at,
    from: {
      name: sender.name,
      kind: sender.kind,
      role: sender.role,
      owner: agent ? sender.handle : null,
      harness: agent && (own || view.harness) ? sender.harness : null,
      ...(sender.origin !== null && { origin: sender.origin }),
    },
    to: data.to,
    body: data.body,
    reply_to: data.reply_to,
    reply_to_seq: row.reply_to === null ? null : seqOf(row.reply_to),
    reply_to_from: row.reply_to_from,
    thread_root: row.root_id,
    thread_root_seq: row.root === null ? null : seqOf(row.root),
    reply_count: row.root === null ? row.reply_count : 0,
    last_reply_at: row.root === null ? row.last_reply_at : null,
    urgent: data.urgent,
    expects_reply: data.expects_reply,
    sender: relationOf(sender, view.me),
    show_owner: view.severalOwners,
    reactions: reactionRecords(view.reactions.get(row.place) ?? [], view.me),
    mentions: data.mentions,
    redactions: data.redactions,
    ...(data.quiet && { quiet: data.quiet }),
    ...(data.damped && { damped: data.damped }),
    ...(data.ring && { ring: data.ring }),
    ...(data.files && { files: data.files }),
    ...(data.about?.length && { about: data.about }),
    ...askParts(view.tx, view.board, view.me, row.place, data),
  };
}

/** How the sender is related to the reader, decided by permanent ids only. */
function relationOf(sender: MemberRow, me: MemberRow): MessageRecord["sender"] {
  if (sender.row === me.row) return "self";
  const samePerson = sender.person_row === me.person_row;
  if (sender.kind === "agent") return samePerson ? "owner_agent" : "other_agent";
  return samePerson ? "owner" : "other_person";
}

function reactionRecords(rows: readonly ReactionRow[], me: MemberRow): MessageRecord["reactions"] {
  if (rows.length === 0) return [];
  return (Object.keys(reactions) as ReactionName[]).flatMap((name) => {
    const by = rows.filter((row) => row.name === name);
    if (by.length === 0) return [];
    return {
      name,
      emoji: reactions[name],
      count: by.length,
      by: by.map((row) => row.member_name),
      mine: by.some((row) => row.member_row === me.row),
    };
  });
}
