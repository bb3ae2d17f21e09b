import { forgetMove, insertMove } from "../moved-boards.ts";
import type { EventData, EventType } from "../../contract/log.ts";
import { endLoopsOn } from "../agent-loops.ts";
import { endAllOf } from "../attention-causes.ts";
import { signalPeopleOf } from "../attention.ts";
import { insertAbout, noteOnTask } from "../message-tasks.ts";
import {
  insertBoard,
  insertRole,
  setAgentsAddPeople,
  setPolicy,
  setTaskPrefix,
  setTitle,
  setLifecycle,
  setVisibilityOf,
} from "../boards.ts";
import type { Tx } from "../engine/database.ts";
import { endAttention, projectAct, projectAddition, projectCauses } from "./cause-projection.ts";
import { fileProjections, insertPosted } from "./file-projection.ts";
import { countJoinCodeUse, insertJoinCode, setJoinCodeRevoked } from "../join-codes.ts";
import {
  endMember,
  insertMember,
  renameMember,
  returnMember,
  setDelivery,
  memberRowsOf,
  membersOf,
  setAccess,
  type MemberRow,
} from "../members.ts";
import { deleteReaction, insertReaction } from "../reactions.ts";
import { insertAwaitedReply, insertMessage, insertRecipient } from "../message-writing.ts";
import { placeOfMessage, rootOf } from "../messages.ts";
import { placeOf } from "../log/log-place.ts";
import { projectLoops, projectWork } from "./loop-projection.ts";
import type { Projected, Projection } from "./event-projection.ts";
import { projectAnswer, projectAsk, projectWithdrawal } from "./ask-projection.ts";
import { memberKey, memberRow, personRow, taskRow } from "./rows-by-id.ts";
import { nameOfImported, standInRow } from "../stand-ins.ts";
import { personWithId } from "../accounts.ts";
import { taskProjections } from "./task-projection.ts";

type EndedBy = NonNullable<MemberRow["ended_by"]>;

/** Updates the read models after one event, whether it was just appended or is replayed from the log. */
export function project<T extends EventType>(tx: Tx, event: Projected<T>): void {
  (projections[event.type] as Projection<T>)(tx, event);
  if (/^(?:task|file)\./.test(event.type)) projectWork(tx, event);
  projectAct(tx, event);
}

const projections: { [T in EventType]: Projection<T> } = {
  "board.created"(tx, { boardRow, at, data }) {
    insertBoard(tx, {
      row: boardRow,
      id: data.board_id,
      name: nameOfImported(tx, boardRow) ?? data.name,
      title: data.title ?? null,
      visibility: data.visibility ?? "open",
      template: data.template,
      charter: data.charter,
      policy: JSON.stringify(data.policy),
      agents_add_people: data.agents_add_people ? 1 : 0,
      created_at: at,
    });
    for (const [name, role] of Object.entries(data.roles))
      insertRole(tx, boardRow, {
        name,
        can: JSON.stringify(role.can),
        charter: role.charter ?? null,
      });
  },
  "board.titled"(tx, { boardRow, data }) {
    setTitle(tx, boardRow, data.after);
    tx.signal({ about: "board", boardRow });
  },
  "board.policy_changed"(tx, { boardRow, data }) {
    setPolicy(tx, boardRow, JSON.stringify(data.after));
    tx.signal({ about: "board", boardRow });
  },
  "board.agents_add_people_changed": (tx, { boardRow, data }) =>
    setAgentsAddPeople(tx, boardRow, data.agents_add_people),
  "board.visibility_changed"(tx, { boardRow, data }) {
    setVisibilityOf(tx, boardRow, data.after);
    setAgentsAddPeople(tx, boardRow, data.agents_add_people);
  },
  "board.archived"(tx, { boardRow }) {
    setLifecycle(tx, boardRow, "archived");
    tx.signal({ about: "board", boardRow });
    signalPeopleOf(tx, boardRow);
  },
  "board.restored"(tx, { boardRow }) {
    setLifecycle(tx, boardRow, "active");
    tx.signal({ about: "board", boardRow });
    signalPeopleOf(tx, boardRow);
  },
  "board.deleted"(tx, { boardRow, at }) {
    setLifecycle(tx, boardRow, "deleted");
    signalPeopleOf(tx, boardRow);
    for (const row of memberRowsOf(tx, boardRow)) endAllOf(tx, row);
    endLoopsOn(tx, boardRow);
    for (const { row, kind } of membersOf(tx, boardRow)) {
      if (kind === "agent") endMember(tx, row, { status: "removed", at, by: "admin" });
      tx.signal({ about: "seat-ended", memberRow: row });
    }
  },
  // The restored read models are already as the log before this event made them.
  "board.rolled_back"() {},
  // Who leaves with it follows in events of its own. Here it goes on, wherever its log says that it went before.
  "board.imported": (tx, { boardRow }) => forgetMove(tx, boardRow),
  "board.moved"(tx, { boardRow, data }) {
    insertMove(tx, { board_row: boardRow, server: data.server, board_id: data.board_id });
    tx.signal({ about: "board", boardRow });
  },
  "board.task_prefix_set": (tx, { boardRow, data }) => setTaskPrefix(tx, boardRow, data.after),

  "member.joined"(tx, { boardRow, seq, at, data }) {
    const person = personRow(tx, boardRow, data.person_id);
    insertMember(tx, {
      id: data.member_id,
      board_row: boardRow,
      person_row: person,
      name: data.name,
      kind: data.kind,
      role: data.role,
      harness: data.harness,
      access: data.access,
      joined_at: at,
      joined_seq: seq,
    });
    if (data.kind === "human") tx.signal({ about: "membership", boardRow, personRow: person });
    else if (data.join_code_id !== null) countJoinCodeUse(tx, data.join_code_id, at);
  },
  "person.added"(tx, { boardRow, seq, at, actor, data }) {
    const person = personRow(tx, boardRow, data.person_id);
    if (data.rejoined) returnMember(tx, memberRow(tx, data.member_id), at, seq);
    else
      insertMember(tx, {
        id: data.member_id,
        board_row: boardRow,
        person_row: person,
        name: data.name,
        kind: "human",
        role: null,
        harness: null,
        access: "member",
        joined_at: at,
        joined_seq: seq,
      });
    if (actor.member_id !== data.member_id)
      projectAddition(tx, placeOf(boardRow, seq), data.member_id);
    tx.signal({ about: "membership", boardRow, personRow: person });
  },
  "person.renamed": (tx, { data }) => renameMember(tx, memberRow(tx, data.member_id), data.after),
  "person.removed"(tx, event) {
    const by = event.data.from_server ? "admin" : "board_owner";
    endPerson(tx, event, { status: "removed", by, agentsBy: by });
  },
  "person.left": (tx, event) =>
    endPerson(tx, event, { status: "left", by: "self", agentsBy: "person" }),
  "person.made_owner": (tx, { data }) => setAccess(tx, memberRow(tx, data.member_id), "admin"),
  "agent.removed": endSeat,
  "agent.left": endSeat,
  "agent.delivery_changed"(tx, { seq, data }) {
    const row = memberRow(tx, data.member_id);
    setDelivery(tx, row, data.after, seq);
    tx.signal({ about: "delivery", memberRow: row });
  },

  "joincode.created": (tx, { boardRow, at, actor, data }) =>
    insertJoinCode(tx, {
      id: data.join_code_id,
      board_row: boardRow,
      role: data.role,
      maker_row: memberRow(tx, actor.member_id),
      created_at: at,
      expires_at: data.expires_at,
      guest: data.guest ?? null,
      guest_row: data.guest_id ? guestRow(tx, boardRow, data.guest_id) : null,
    }),
  "joincode.revoked": (tx, { at, data }) => setJoinCodeRevoked(tx, data.join_code_id, at),

  "message.posted"(tx, { boardRow, seq, actor, data }) {
    const place = placeOf(boardRow, seq);
    const replyTo = data.reply_to === null ? null : placeOfMessage(tx, data.reply_to);
    const root = replyTo === null ? null : rootOf(tx, replyTo);
    const sender = memberKey(tx, actor.member_id);
    insertMessage(tx, {
      place,
      boardRow,
      id: data.message_id,
      senderRow: sender.row,
      toAll: data.recipients === undefined,
      roles: data.to
        .filter((target) => target.startsWith("role:"))
        .map((target) => target.slice(5)),
      replyTo,
      root,
      quiet: data.quiet ?? false,
    });
    for (const { id } of data.about ?? []) insertAbout(tx, taskRow(tx, id), place, root ?? place);
    if (data.about?.length && sender.kind === "agent") noteOnTask(tx, sender.row, place);
    projectAsk(tx, { boardRow, place, senderRow: sender.row }, data);
    // Before the answer is stored: a further one decides nothing, and so ends no loop.
    const damped = projectLoops(tx, { boardRow, place, sender }, data);
    projectAnswer(tx, place, data);
    if (data.files) insertPosted(tx, place, data.files);
    projectCauses(tx, { place, sender, replyTo }, data);
    tx.signal({
      about: "message",
      boardRow,
      rootPlace: root ?? place,
      reaches: reachedByName(tx, place, data),
      quiet: data.quiet ?? false,
      damped,
    });
  },
  "ask.withdrawn": projectWithdrawal,
  "reaction.added": (tx, { seq, actor, data }) =>
    insertReaction(tx, {
      place: placeOfMessage(tx, data.message_id)!,
      name: data.name,
      member_row: memberRow(tx, actor.member_id),
      seq,
    }),
  "reaction.removed": (tx, { actor, data }) =>
    deleteReaction(
      tx,
      placeOfMessage(tx, data.message_id)!,
      data.name,
      memberRow(tx, actor.member_id),
    ),

  ...taskProjections,
  ...fileProjections,
};

/** The row of a guest of this server; null for somebody of another one, who can use no code here. */
function guestRow(tx: Tx, boardRow: number, id: string): number | null {
  return standInRow(tx, boardRow, id) === null ? (personWithId(tx, id)?.row ?? null) : null;
}

function endSeat(tx: Tx, { at, data }: Projected<"agent.removed" | "agent.left">): void {
  const row = memberRow(tx, data.member_id);
  const status = data.removed_by === "self" ? "left" : "removed";
  endMember(tx, row, { status, at, by: data.removed_by });
  endAttention(tx, data.member_id);
  tx.signal({ about: "seat-ended", memberRow: row });
}

/** Ends a person's membership and the seats of their agents. Those seats never come back. */
function endPerson(
  tx: Tx,
  { boardRow, at, data }: Projected<"person.removed" | "person.left">,
  { status, by, agentsBy }: { status: "removed" | "left"; by: EndedBy; agentsBy: EndedBy },
): void {
  const row = memberRow(tx, data.member_id);
  endMember(tx, row, { status, at, by });
  endAttention(tx, data.member_id);
  tx.signal({ about: "seat-ended", memberRow: row });
  tx.signal({ about: "membership", boardRow, personRow: personRow(tx, boardRow, data.person_id) });
  for (const id of data.agents) {
    const agent = memberRow(tx, id);
    endMember(tx, agent, { status: "removed", at, by: agentsBy });
    endAttention(tx, id);
    tx.signal({ about: "seat-ended", memberRow: agent });
  }
}

/** Stores whom a message reaches by name, and returns their rows. Null for a message to all. */
function reachedByName(
  tx: Tx,
  place: number,
  data: EventData<"message.posted">,
): readonly number[] | null {
  if (!data.recipients) return null;
  const rows: number[] = [];
  for (const id of data.recipients) {
    const { row, kind } = memberKey(tx, id);
    insertRecipient(tx, row, place, true);
    // Whether an ask still waits follows from its answers and the clock.
    if (data.expects_reply && !data.ask && kind === "human") insertAwaitedReply(tx, row, place);
    rows.push(row);
  }
  for (const mention of data.mentions) {
    if (!mention.wakes || data.recipients.includes(mention.id)) continue;
    const row = memberRow(tx, mention.id);
    insertRecipient(tx, row, place, false);
    rows.push(row);
  }
  return rows;
}
