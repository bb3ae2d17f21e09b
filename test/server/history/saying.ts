import type { BoardModel, MemberModel, MessageModel } from "./model.ts";
import { allows, readable, reads } from "./rules.ts";
import type { Scene } from "./scene.ts";

// What the contract makes of a message that is posted: whom it goes to, what it is about and what it answers.

/** Whom targets mean, by the members of now. */
export const meant = (board: BoardModel, scene: Scene, to: readonly string[]): MemberModel[] =>
  [...board.members.values()].filter(
    ({ active, kind, name, role, person }) =>
      active &&
      (to.includes(`@${name}`) ||
        (role !== null && to.includes(`role:${role}`)) ||
        (kind === "agent" &&
          to.some(
            (target) => target.startsWith("owner:") && scene.people.get(target.slice(6)) === person,
          ))),
  );

/** Whether a target means nobody who ever was on the board, or agents of somebody who is not on it. */
export const isUnknown = (board: BoardModel, scene: Scene, to: readonly string[]): boolean =>
  to.some((target) => {
    const members = [...board.members.values()];
    if (target.startsWith("@")) return !members.some(({ name }) => `@${name}` === target);
    if (!target.startsWith("owner:")) return false;
    const person = scene.people.get(target.slice(6));
    return !members.some((one) => one.active && one.kind === "human" && one.person === person);
  });

/** Whom a reply without targets goes to: who wrote in the thread, and who was addressed there by name. */
export function defaultTargets(
  board: BoardModel,
  me: MemberModel,
  answered: MessageModel,
): string[] {
  const thread = readable(board, me).filter(({ root }) => root === answered.root);
  // Names of people change, so whom one reached is recorded: who was away then is not among them.
  const named = ({ to, recipients }: MessageModel) =>
    [...board.members.values()].flatMap(({ id, name, kind }) =>
      to.includes(`@${name}`) && (kind === "agent" || recipients?.includes(id)) ? [id] : [],
    );
  const ids = [answered.sender, ...thread.flatMap((one) => [one.sender, ...named(one)])];
  return [...new Set(ids)]
    .map((id) => board.members.get(id)!)
    .filter(({ active, id }) => active && id !== me.id)
    .map(({ name }) => `@${name}`);
}

/** The code with which an agent is refused whom it addresses, or that it is urgent; null where it may. */
export function addressing(
  board: BoardModel,
  me: MemberModel,
  { to, urgent }: { to: readonly string[]; urgent: boolean },
): string | null {
  const may = (policy: string, permission: string) =>
    policy === "everyone" || allows(board, me, permission);
  if (to.includes("all") && !may(board.broadcast, "broadcast")) return "broadcast_not_allowed";
  return urgent && !may(board.urgent, "urgent") ? "urgent_not_allowed" : null;
}

/** The tasks that a message is about, with how each was found; null when it names one that is not there. */
export function aboutOf(
  { tasks, current }: BoardModel,
  me: MemberModel,
  given: readonly string[] | undefined,
  answered: MessageModel | null,
  body: string,
): { id: string; how: string }[] | null {
  const all = [...tasks.values()];
  const chosen = given?.map((number) => all.find((task) => String(task.number) === number)?.id);
  if (chosen?.includes(undefined)) return null;
  const first = (): { id: string; how: string }[] => {
    if (chosen) return chosen.map((id) => ({ id: id!, how: "given" }));
    if (answered?.about.length) return answered.about.map(({ id }) => ({ id, how: "thread" }));
    const id = current.get(me.id);
    return id === undefined ? [] : [{ id, how: "current" }];
  };
  // What stands in backticks names nothing.
  const text = body.replace(/`[^`]*`/g, "").toUpperCase();
  const named = all
    .filter(({ ref }) => text.includes(ref))
    .sort((a, b) => text.indexOf(a.ref) - text.indexOf(b.ref))
    .map(({ id }) => ({ id, how: "named" }));
  return [...first(), ...named].filter(
    ({ id }, index, list) => list.findIndex((one) => one.id === id) === index,
  );
}

/** What a reply is sent to say of an ask besides its text. */
export interface Answer {
  readonly option?: number;
  readonly withdrawn?: true;
}

/** Whether a member decides an ask: the one asked, and the person of an agent that asks. */
export function mayAnswer(board: BoardModel, me: MemberModel, { ask, sender }: MessageModel) {
  const asker = board.members.get(sender)!;
  return (
    ask!.to === me.id ||
    (me.kind === "human" && asker.kind === "agent" && asker.person === me.person)
  );
}

/** What a reply is to the message that it answers: the code of its refusal, or whether it decides or takes back. */
export function answering(
  board: BoardModel,
  me: MemberModel,
  answered: MessageModel | null,
  answer: Answer | undefined,
): { refusal: string } | { refusal: null; recorded: object | null } {
  const plain = { refusal: null, recorded: null } as const;
  if (!answered?.ask) return answer ? { refusal: "ask_invalid" } : plain;
  const { option = null, withdrawn = false } = answer ?? {};
  if (withdrawn ? answered.sender !== me.id : !mayAnswer(board, me, answered))
    return answer ? { refusal: "not_asked" } : plain;
  if (option !== null && option > answered.ask.options.length) return { refusal: "ask_invalid" };
  const isClosed = [...board.messages.values()].some(
    (message) => message.answer?.ask_id === answered.id && message.answer.withdrawn,
  );
  if (isClosed) return answer ? { refusal: "ask_closed" } : plain;
  return { refusal: null, recorded: { ask_id: answered.id, option, withdrawn } };
}

/** The message that a request replies to, if it is there for its sender. */
export const answeredBy = (board: BoardModel, me: MemberModel, id: string | undefined) => {
  const message = id === undefined ? null : board.messages.get(id)!;
  return { message, isHidden: message !== null && !reads(board, me, message) };
};
