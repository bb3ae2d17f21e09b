import type { Static } from "@sinclair/typebox";
import { reactions, type Message, type ReactionName } from "../../contract/messages.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/database.ts";
import {
  hasAgentsOfSeveral,
  memberAt,
  type MemberAndHandle,
  type MemberRow,
} from "../../db/members.ts";
import { reactionsTo, type ReactionRow } from "../../db/reactions.ts";
import { postedAt, type MessageRow, type Posted } from "../../db/messages.ts";
import { seqOf } from "../../db/places.ts";
import { showsHarness } from "../agents/views.ts";

type MessageRecord = Static<typeof Message>;

/** Messages of one board, in the order given, as a member of it sees them. */
export function messageRecords(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  rows: readonly MessageRow[],
): MessageRecord[] {
  const view = viewOf(tx, board, me, reactionsTo(tx, placesOf(rows)));
  return rows.map((row) => messageRecord(row, postedAt(tx, row.place), view));
}

/**
 * The same as JSON texts. A text is kept under all that it depends on, so one message is rendered once for everybody to
 * whom it looks the same. Messages with reactions are rendered each time.
 */
export function messageTexts(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  rows: readonly MessageRow[],
): string[] {
  const view = viewOf(tx, board, me, reactionsTo(tx, placesOf(rows)));
  return rows.map((row) => {
    const sender = senderOf(row.sender_row, view);
    const key = view.reactions.has(row.place)
      ? null
      : `${row.place} ${relationOf(sender, me)} ${view.harness} ${view.severalOwners} ${row.reply_count} ${row.last_reply_at} ${row.reply_to_from} ${sender.name} ${sender.handle}`;
    const known = key === null ? undefined : tx.memory.recall(key);
    if (known !== undefined) return known as string;
    const text = JSON.stringify(messageRecord(row, postedAt(tx, row.place), view));
    if (key !== null) tx.memory.keep(key, text, text.length);
    return text;
  });
}

const placesOf = (rows: readonly MessageRow[]) => rows.map(({ place }) => place);

/** A message that was just posted, as its sender sees it: nobody can have replied or reacted yet. */
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
  board: board.name,
  me,
  harness: showsHarness(board, me),
  severalOwners: hasAgentsOfSeveral(tx, board.row),
  reactions: Map.groupBy(reactions, ({ place }) => place),
  senders: new Map(),
  tx,
});

interface View {
  readonly board: string;
  readonly me: MemberRow;
  readonly harness: boolean;
  readonly severalOwners: boolean;
  readonly reactions: ReadonlyMap<number, readonly ReactionRow[]>;
  /** The senders met so far: a page has many messages of few. */
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
    board: view.board,
    seq: seqOf(row.place),
    at,
    from: {
      name: sender.name,
      kind: sender.kind,
      role: sender.role,
      owner: agent ? sender.handle : null,
      harness: agent && (own || view.harness) ? sender.harness : null,
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
  };
}

/** What the sender is to the reader, by permanent ids alone. */
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
