import type { BoardModel, MemberModel, MessageModel, TaskModel } from "./model.ts";

// What the contract says that members may see, written once more and from the events alone: nothing here is shared with
// the server.

/** Whether one of a message's targets means a member as they are now. */
const targets = ({ to }: MessageModel, { name, role }: MemberModel): boolean =>
  to.includes("all") || to.includes(`@${name}`) || (role !== null && to.includes(`role:${role}`));
const reached = (message: MessageModel, member: MemberModel): boolean =>
  targets(message, member) || (message.recipients?.includes(member.id) ?? false);

/** Whether a member may read a message now. */
export const reads = (board: BoardModel, reader: MemberModel, message: MessageModel): boolean =>
  board.visibility === "open" ||
  reader.kind === "human" ||
  message.sender === reader.id ||
  reached(message, reader);

/** The messages that a member may read, oldest first. */
export const readable = (board: BoardModel, reader: MemberModel): MessageModel[] =>
  [...board.messages.values()].filter((message) => reads(board, reader, message));

/**
 * Those of them that others addressed to a member: by name only if the member was there. Agents do not come back, so that
 * tells people alone.
 */
export const toReader = (board: BoardModel, reader: MemberModel): MessageModel[] =>
  readable(board, reader).filter(
    (message) =>
      message.sender !== reader.id &&
      (reader.kind === "human"
        ? (message.recipients?.includes(reader.id) ?? true)
        : reached(message, reader)),
  );

/** What waits in an agent's inbox. */
export const inboxOf = (board: BoardModel, agent: MemberModel): MessageModel[] =>
  readable(board, agent).filter(
    (message) =>
      message.seq > (board.positions.get(agent.id) ?? 0) &&
      message.sender !== agent.id &&
      (reached(message, agent) || message.woken.includes(agent.id)),
  );

/** How many messages a member has not read. */
export const unreadOf = (board: BoardModel, member: MemberModel): number =>
  member.kind === "agent"
    ? inboxOf(board, member).length
    : [...board.messages.values()].filter(
        ({ seq, sender }) => seq > (board.positions.get(member.id) ?? 0) && sender !== member.id,
      ).length;

/** How many questions wait for a person's own reply: an ask while it is open, any other until they reply to it. */
export function needsReplyOf(board: BoardModel, person: MemberModel, now: string): number {
  const messages = [...board.messages.values()];
  const answered = (id: string) =>
    messages.some(({ replyTo, sender }) => replyTo === id && sender === person.id);
  return messages.filter(
    (message) =>
      message.expectsReply &&
      message.sender !== person.id &&
      (message.recipients?.includes(person.id) ?? false) &&
      (message.ask ? askState(board, message, now) === "open" : !answered(message.id)),
  ).length;
}

/** What an ask has come to by now. */
export function askState({ messages }: BoardModel, { id, ask }: MessageModel, now: string) {
  const answers = [...messages.values()].flatMap(({ answer }) =>
    answer?.ask_id === id ? [answer] : [],
  );
  if (answers.at(-1)?.withdrawn) return "withdrawn";
  if (answers.length > 0) return "answered";
  return ask!.going_at !== null && ask!.going_at <= now ? "went_with" : "open";
}

/** The open asks that block a task, oldest first. */
export const blocking = (board: BoardModel, task: TaskModel, now: string): MessageModel[] =>
  [...board.messages.values()].filter(
    (message) =>
      message.ask?.blocking === true &&
      message.ask.task_id === task.id &&
      askState(board, message, now) === "open",
  );

/** The replies of a message's thread that a member may read, oldest first. */
export const repliesOf = (board: BoardModel, reader: MemberModel, root: string): MessageModel[] =>
  readable(board, reader).filter((message) => message.root === root && message.id !== root);

/** The threads that a member may read the root and a reply of, the newest reply first. */
export const threadsOf = (board: BoardModel, reader: MemberModel) =>
  readable(board, reader)
    .filter(({ id, root }) => id === root)
    .map((root) => ({ root, replies: repliesOf(board, reader, root.id) }))
    .filter(({ replies }) => replies.length > 0)
    .sort((a, b) => b.replies.at(-1)!.seq - a.replies.at(-1)!.seq);

/** What a task counts for a reader. */
export function talkOf(board: BoardModel, reader: MemberModel, task: TaskModel) {
  const about = readable(board, reader).filter((message) =>
    message.about.some(({ id }) => id === task.id),
  );
  return {
    messages: about.length,
    threads: new Set(about.map(({ root }) => root)).size,
    sinceStands: task.stands ? about.filter(({ seq }) => seq > task.stands!.seq).length : 0,
    sinceAbout: task.about ? about.filter(({ seq }) => seq > task.about!.seq).length : 0,
  };
}

/** A task's state, which is never written down. */
export const stateOf = ({ closed, owner }: TaskModel) =>
  closed ?? (owner === null ? "open" : "in_progress");

/** Tasks in the order of a list: nobody's, somebody's, closed ones, each oldest first. */
export function inOrder(board: BoardModel): TaskModel[] {
  const phase = (task: TaskModel) =>
    ({ open: 0, in_progress: 1, done: 2, cancelled: 2 })[stateOf(task)];
  return [...board.tasks.values()].sort((a, b) => phase(a) - phase(b) || a.number - b.number);
}

/** Whether a role has a permission; a limited one counts. People need none. */
export const allows = (board: BoardModel, { kind, role }: MemberModel, permission: string) =>
  kind === "human" ||
  (board.roles[role ?? ""] ?? []).some(
    (grant) => grant === permission || (typeof grant === "object" && permission in (grant ?? {})),
  );
