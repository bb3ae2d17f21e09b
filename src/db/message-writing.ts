import type { Tx } from "./engine/database.ts";
import { placeOf } from "./log/log-place.ts";

/** What is stored about a message beside its event. */
interface NewMessage {
  readonly place: number;
  readonly boardRow: number;
  readonly id: string;
  readonly senderRow: number;
  readonly toAll: boolean;
  readonly roles: readonly string[];
  readonly replyTo: number | null;
  readonly root: number | null;
  readonly quiet: boolean;
}

/** Stores the row of a message. */
export function insertMessage(tx: Tx, message: NewMessage): void {
  tx.run(
    "INSERT INTO message (place, id, sender_row, to_all, number, sender_number, reply_to, root, quiet) VALUES (?1, ?2, ?3, ?4, " +
      "1 + coalesce((SELECT number FROM message WHERE place > ?7 AND place < ?1 ORDER BY place DESC LIMIT 1), 0), " +
      "1 + coalesce((SELECT sender_number FROM message WHERE sender_row = ?3 AND place < ?1 ORDER BY place DESC LIMIT 1), 0), ?5, ?6, ?8)",
    message.place,
    message.id,
    message.senderRow,
    message.toAll ? 1 : 0,
    message.replyTo,
    message.root,
    placeOf(message.boardRow, 0),
    message.quiet ? 1 : 0,
  );
  for (const role of message.roles)
    tx.run("INSERT INTO role_target (place, role) VALUES (?, ?)", message.place, role);
  if (message.root === null || message.replyTo === null) return;
  tx.run(
    "INSERT INTO reply (root, place, reply_to, sender_row) VALUES (?, ?, ?, ?)",
    message.root,
    message.place,
    message.replyTo,
    message.senderRow,
  );
  tx.run(
    "INSERT INTO thread (root, reply_count, last_reply) VALUES (?1, 1, ?2) ON CONFLICT (root) DO UPDATE SET reply_count = reply_count + 1, last_reply = ?2",
    message.root,
    message.place,
  );
  tx.run(
    "DELETE FROM awaited_reply WHERE member_row = ? AND place = ?",
    message.senderRow,
    message.replyTo,
  );
}

/** Records that a message reaches a member by name, as a recipient or only by a mention. */
export const insertRecipient = (tx: Tx, memberRow: number, place: number, addressed: boolean) =>
  tx.run(
    "INSERT INTO recipient (member_row, place, addressed) VALUES (?, ?, ?)",
    memberRow,
    place,
    addressed ? 1 : 0,
  );
/** Records that a message waits for a person's reply. */
export const insertAwaitedReply = (tx: Tx, memberRow: number, place: number) =>
  tx.run("INSERT INTO awaited_reply (member_row, place) VALUES (?, ?)", memberRow, place);
