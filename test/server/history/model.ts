import type { Actor, EventData, EventType } from "../../../src/contract/log.ts";

/** An event as the log holds it, with all of its data. */
export type Recorded = {
  [T in EventType]: {
    board: string;
    seq: number;
    at: string;
    type: T;
    actor: Actor;
    data: EventData<T>;
  };
}[EventType];

/** Somebody who is or was on a board. */
export interface MemberModel {
  readonly id: string;
  readonly name: string;
  readonly kind: "human" | "agent";
  readonly person: string;
  readonly role: string | null;
  active: boolean;
  owner: boolean;
  /** Seq of the event with which the present stay began. */
  since: number;
}

/** A message, and how members reacted to it. */
export interface MessageModel {
  readonly id: string;
  readonly seq: number;
  readonly at: string;
  readonly sender: string;
  readonly to: readonly string[];
  /** Ids of the members that were recorded; null of a message to all. */
  readonly recipients: readonly string[] | null;
  /** Ids of whom the text mentions so that it wakes them. */
  readonly woken: readonly string[];
  readonly body: string;
  readonly replyTo: string | null;
  /** Id of the message that begins its thread, which may be its own. */
  readonly root: string;
  readonly expectsReply: boolean;
  readonly about: readonly { readonly id: string; readonly how: string }[];
  readonly ask: EventData<"message.posted">["ask"] | null;
  readonly answer: EventData<"message.posted">["answer"] | null;
  /** Who reacted, by reaction. */
  readonly reactions: Map<string, string[]>;
}

interface TextModel {
  readonly text: string;
  readonly version: number;
  readonly by: string;
  readonly at: string;
  readonly seq: number;
}
/** A task, with its texts as they are now. */
export interface TaskModel {
  readonly id: string;
  readonly ref: string;
  readonly number: number;
  readonly opener: string;
  title: string;
  about: TextModel | null;
  stands: TextModel | null;
  owner: string | null;
  helpers: string[];
  closed: "done" | "cancelled" | null;
  note: string | null;
  updatedAt: string;
}

/** What a board's events add up to. It is made of the log alone, and of nothing that the server made of it. */
export interface BoardModel {
  readonly id: string;
  readonly name: string;
  head: number;
  private: boolean;
  archived: boolean;
  prefix: string | null;
  visibility: "open" | "addressed";
  broadcast: "everyone" | "granted";
  urgent: "everyone" | "granted";
  /** Id of the member who made it. */
  readonly creator: string;
  readonly roles: Record<string, readonly unknown[]>;
  readonly members: Map<string, MemberModel>;
  readonly messages: Map<string, MessageModel>;
  readonly tasks: Map<string, TaskModel>;
  /** What each agent works on: ids of members and tasks. */
  readonly current: Map<string, string>;
  /** Read positions, which no event tells of. */
  readonly positions: Map<string, number>;
  readonly log: Recorded[];
}

/** Something that no log may say. */
export class Broken extends Error {
  override readonly name = "Broken";
}
function must(holds: boolean, law: string): asserts holds {
  if (!holds) throw new Broken(law);
}

type Fold = { [T in EventType]?: (board: BoardModel, event: Recorded & { type: T }) => void };

const found = <K, V>(map: ReadonlyMap<K, V>, key: K, what: string): V => {
  const value = map.get(key);
  must(value !== undefined, `an event names ${what} ${String(key)}, which is not there`);
  return value;
};
const taskOf = (board: BoardModel, { data }: { data: { task_id: string } }): TaskModel => {
  const task = found(board.tasks, data.task_id, "the task");
  must(task.closed === null, `task ${task.ref} changes after it was closed`);
  return task;
};
const isOn = (task: TaskModel, member: string) =>
  task.owner === member || task.helpers.includes(member);
const setPolicy = (board: BoardModel, policy: EventData<"board.policy_changed">["after"]) =>
  void Object.assign(board, {
    visibility: policy.visibility,
    broadcast: policy.broadcast,
    urgent: policy.urgent,
  });
const end = (board: BoardModel, ids: readonly string[]) => {
  for (const id of ids) found(board.members, id, "the member").active = false;
};

/** An agent works on a task from here on, if it is one. */
function select(board: BoardModel, member: string, task: TaskModel, again: boolean): void {
  const { kind } = found(board.members, member, "the member");
  must(!again || isOn(task, member), `task ${task.ref} is selected again by whoever is not on it`);
  must(!again || kind === "agent", `task ${task.ref} is selected again by a person`);
  must(
    !again || board.current.get(member) !== task.id,
    `task ${task.ref} is selected again by whoever works on it`,
  );
  if (kind === "agent") board.current.set(member, task.id);
}

const folds: Fold = {
  "board.policy_changed": (board, { data }) => setPolicy(board, data.after),
  "board.visibility_changed": (board, { data }) => void (board.private = data.after === "private"),
  "board.archived": (board) => void (board.archived = true),
  "board.restored": (board) => void (board.archived = false),
  "board.task_prefix_set": (board, { data }) => void (board.prefix = data.after),
  "member.joined"(board, { seq, data }) {
    must(!board.members.has(data.member_id), "a member joins twice");
    const { member_id: id, name, kind, person_id: person, role } = data;
    const owner = data.access === "admin";
    board.members.set(id, { id, name, kind, person, role, owner, active: true, since: seq });
  },
  "person.added"(board, { seq, data }) {
    const { member_id: id, name, person_id: person } = data;
    must(board.members.has(id) === data.rejoined, "`rejoined` says whether somebody was there");
    const kind = "human";
    board.members.set(id, {
      id,
      name,
      kind,
      person,
      role: null,
      owner: false,
      active: true,
      since: seq,
    });
  },
  "person.removed": (board, { data }) => end(board, [data.member_id, ...data.agents]),
  "person.left": (board, { data }) => end(board, [data.member_id, ...data.agents]),
  "person.made_owner": (board, { data }) =>
    void (found(board.members, data.member_id, "the member").owner = true),
  "agent.removed": (board, { data }) => end(board, [data.member_id]),
  "agent.left": (board, { data }) => end(board, [data.member_id]),
  "message.posted"(board, { seq, at, actor, data }) {
    const answered = data.reply_to && found(board.messages, data.reply_to, "the message");
    board.messages.set(data.message_id, {
      id: data.message_id,
      seq,
      at,
      to: data.to,
      body: data.body,
      sender: actor.member_id!,
      recipients: data.recipients ?? null,
      woken: data.mentions.filter(({ wakes }) => wakes).map(({ id }) => id),
      replyTo: data.reply_to,
      root: answered ? answered.root : data.message_id,
      expectsReply: data.expects_reply,
      about: data.about ?? [],
      ask: data.ask ?? null,
      answer: data.answer ?? null,
      reactions: new Map(),
    });
  },
  "reaction.added"(board, { actor, data }) {
    const { reactions } = found(board.messages, data.message_id, "the message");
    const by = reactions.get(data.name) ?? [];
    must(!by.includes(actor.member_id!), "somebody reacts twice with the same");
    reactions.set(data.name, [...by, actor.member_id!]);
  },
  "reaction.removed"(board, { actor, data }) {
    const { reactions } = found(board.messages, data.message_id, "the message");
    const by = reactions.get(data.name) ?? [];
    must(by.includes(actor.member_id!), "a reaction is taken back that is not there");
    reactions.set(
      data.name,
      by.filter((id) => id !== actor.member_id),
    );
  },
  "task.created"(board, { seq, at, actor, data }) {
    const { task_id: id, ref, number, title } = data;
    const opener = actor.member_id!;
    must(number === board.tasks.size + 1, "tasks are numbered without a gap");
    must(ref === `${board.prefix}-${number}`, "a reference is the prefix and the number");
    board.tasks.set(id, {
      id,
      ref,
      number,
      title,
      opener,
      updatedAt: at,
      about: data.about === null ? null : { text: data.about, version: 1, by: opener, at, seq },
      stands: null,
      owner: null,
      helpers: [],
      closed: null,
      note: null,
    });
  },
  "task.started"(board, event) {
    const task = taskOf(board, event);
    const { member_id: member, reselected = false } = event.data;
    select(board, member, task, reselected);
    if (reselected) return must(task.owner === member, "whoever selects anew by starting owns it");
    must(task.owner === null, `task ${task.ref} gets a second owner`);
    task.owner = member;
    task.helpers = task.helpers.filter((id) => id !== member);
    task.updatedAt = event.at;
  },
  "task.joined"(board, event) {
    const task = taskOf(board, event);
    const { member_id: member, reselected = false } = event.data;
    select(board, member, task, reselected);
    if (reselected) return;
    must(!isOn(task, member), `somebody joins task ${task.ref} who is on it`);
    task.helpers.push(member);
    task.updatedAt = event.at;
  },
  "task.updated"(board, event) {
    const task = taskOf(board, event);
    const { seq, at, actor, data } = event;
    const next = (before: TextModel | null, text: string): TextModel => ({
      text,
      at,
      seq,
      version: (before?.version ?? 0) + 1,
      by: actor.member_id!,
    });
    if (data.title !== undefined) task.title = data.title;
    if (data.about !== undefined) task.about = next(task.about, data.about);
    if (data.stands !== undefined) task.stands = next(task.stands, data.stands);
    must(
      (data.stands_version ?? null) === (data.stands === undefined ? null : task.stands!.version),
      "`stands_version` counts the versions",
    );
    task.updatedAt = at;
  },
  "task.done"(board, event) {
    const task = taskOf(board, event);
    task.closed = event.data.cancelled ? "cancelled" : "done";
    task.note = event.data.note;
    task.updatedAt = event.at;
    for (const [member, current] of board.current)
      if (current === task.id) board.current.delete(member);
  },
  "task.dropped"(board, event) {
    const task = taskOf(board, event);
    const { member_id: member, as } = event.data;
    must(isOn(task, member), `somebody drops task ${task.ref} who is not on it`);
    must((as === "owner") === (task.owner === member), "`as` says what somebody was");
    if (as === "owner") task.owner = null;
    else task.helpers = task.helpers.filter((id) => id !== member);
    if (board.current.get(member) === task.id) board.current.delete(member);
    task.updatedAt = event.at;
  },
};

/** Brings a board after one more of its events. Throws what no log may say. */
export function fold(boards: Map<string, BoardModel>, event: Recorded): void {
  if (event.type === "board.created") boards.set(event.board, boardOf(event));
  const board = found(boards, event.board, "the board");
  must(event.seq === board.head + 1, "a log has a gap");
  (folds[event.type] as ((board: BoardModel, event: Recorded) => void) | undefined)?.(board, event);
  board.head = event.seq;
  board.log.push(event);
}

function boardOf({ board: id, actor, data }: Recorded & { type: "board.created" }): BoardModel {
  const board: BoardModel = {
    id,
    name: data.name,
    head: 0,
    archived: false,
    prefix: null,
    log: [],
    private: data.visibility === "private",
    visibility: "open",
    broadcast: "everyone",
    urgent: "everyone",
    creator: actor.member_id!,
    roles: Object.fromEntries(Object.entries(data.roles).map(([name, { can }]) => [name, can])),
    members: new Map(),
    messages: new Map(),
    tasks: new Map(),
    current: new Map(),
    positions: new Map(),
  };
  setPolicy(board, data.policy);
  return board;
}

/** What a feature keeps of a board besides: made when it is first asked for. */
export function slot<T>(make: () => T): (board: BoardModel) => T {
  const kept = new WeakMap<BoardModel, T>();
  return (board) => {
    if (!kept.has(board)) kept.set(board, make());
    return kept.get(board)!;
  };
}
