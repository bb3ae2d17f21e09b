import type { Member } from "../boards/board.ts";
import type { Task } from "../tasks/tasks.ts";

/** What can be switched on for a message, by the word after the `/`. */
export type Toggle = "ask" | "urgent" | "reply" | "quiet" | "to" | "attach" | "preview";

/** Something that a word can be completed to. */
export type Completion =
  | { readonly kind: "member"; readonly text: string; readonly member: Member }
  | { readonly kind: "role"; readonly text: string; readonly agents: number }
  | { readonly kind: "task"; readonly text: string; readonly task: Task }
  | { readonly kind: "toggle"; readonly text: ""; readonly toggle: Toggle };

/** The word before the caret that is being completed, and what it can become. */
export interface Completing {
  readonly from: number;
  readonly items: readonly Completion[];
}

/** What a board offers to complete with. */
export interface Offered {
  readonly members: readonly Member[];
  readonly roles: readonly string[];
  readonly tasks: readonly Task[];
  readonly toggles: readonly Toggle[];
  /** The letters before the number of a task. */
  readonly taskPrefix: string | null;
  /** Those who take part in the thread. They come first. */
  readonly inThread: readonly string[];
  readonly own: string;
}

const mostShown = 8;
const mention = /(?:^|[^\p{L}\p{N}_.\-@/\\])@((?:role:)?[a-z0-9-]*)$/iu;
const reference = /(?:^|[^\p{L}\p{N}_.\-@/\\])([a-z][a-z0-9]{1,5})(-\d*)?$/iu;

/** How well a name fits what was typed: 0 at its start, 1 at the start of one of its words, 2 within it; null if not. */
export function fit(name: string, typed: string): number | null {
  const at = name.toLowerCase().indexOf(typed.toLowerCase());
  if (at < 0) return null;
  return at === 0 ? 0 : /[^a-z0-9]/i.test(name[at - 1]!) ? 1 : 2;
}

/** Looks at the word before the caret. Null if nothing can complete it. */
export function completionAt(text: string, caret: number, offered: Offered): Completing | null {
  const before = text.slice(0, caret);
  const slash = /^\/([a-z]*)$/i.exec(before);
  if (slash) return found(0, toggles(slash[1]!, offered));
  const at = mention.exec(before);
  if (at) return found(caret - at[1]!.length - 1, people(at[1]!, offered));
  const task = reference.exec(before);
  if (!task || !offered.taskPrefix) return null;
  const [, letters = "", number] = task;
  const isPrefix = letters.toUpperCase() === offered.taskPrefix;
  // A word in small letters may be just a word until the dash follows it.
  if (!isPrefix || (number === undefined && letters !== offered.taskPrefix)) return null;
  const word = letters + (number ?? "");
  return found(caret - word.length, tasks(number?.slice(1) ?? "", offered));
}

const found = (from: number, items: readonly Completion[]): Completing | null =>
  items.length > 0 ? { from, items: items.slice(0, mostShown) } : null;

function toggles(typed: string, offered: Offered): Completion[] {
  return offered.toggles
    .filter((toggle) => toggle.startsWith(typed.toLowerCase()))
    .map((toggle) => ({ kind: "toggle", text: "", toggle }));
}

/** Members and roles: those in the thread, then those who work, then the others, each by how well the name fits. */
function people(typed: string, { members, roles, inThread, own }: Offered): Completion[] {
  const rank = ({ name, state, kind }: Member): number =>
    inThread.includes(name) ? 0 : kind === "agent" && state === "working" ? 1 : 2;
  const word = typed.toLowerCase();
  const byName = members
    .filter(({ name }) => name !== own)
    .flatMap((member) => {
      const fits = fit(member.name, word) ?? fit(member.display_name ?? "", word);
      return fits === null ? [] : [{ member, fits }];
    })
    .sort(
      (one, other) =>
        rank(one.member) - rank(other.member) ||
        one.fits - other.fits ||
        one.member.name.localeCompare(other.member.name),
    )
    .map(({ member }): Completion => ({ kind: "member", text: `@${member.name}`, member }));
  const role = word.replace(/^role:?/, "");
  const byRole = roles
    .map((name) => ({ name, agents: members.filter((one) => one.role === name).length }))
    .filter(({ name, agents }) => agents > 0 && (fit(name, role) === 0 || "role:".startsWith(word)))
    .map(({ name, agents }): Completion => ({ kind: "role", text: `@role:${name}`, agents }));
  // A long board still shows its roles.
  return [...byName.slice(0, mostShown - Math.min(2, byRole.length)), ...byRole];
}

const stateRank = { in_progress: 0, open: 1, done: 2, cancelled: 3 } as const;

function tasks(typed: string, { tasks: all }: Offered): Completion[] {
  return all
    .filter(({ number }) => String(number).startsWith(typed))
    .sort(
      (one, other) =>
        (stateRank[one.state] ?? 4) - (stateRank[other.state] ?? 4) || other.number - one.number,
    )
    .map((task) => ({ kind: "task", text: task.ref, task }));
}
