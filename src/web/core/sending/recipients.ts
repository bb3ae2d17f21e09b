import { mentionsIn } from "../../../contract/mentions.ts";
import { wakes } from "../../../contract/waking.ts";
import type { Member } from "../boards/board.ts";
import type { Draft } from "./drafts.ts";
import type { Message } from "../talk/talk.ts";

/** Those whom a reply goes to unless others are chosen: the other people and agents of its thread, as the server finds them. */
export function peopleOfThread(
  thread: readonly Message[],
  members: readonly Member[],
  own: string,
): readonly string[] {
  const present = new Set(members.map(({ name }) => name));
  // Who stayed on another server is nobody here, though somebody here may be called the same.
  const here = thread.filter(({ from }) => from.origin === undefined);
  const named = here.flatMap(({ from, to }) => [
    from.name,
    ...to.filter((target) => target.startsWith("@")).map((target) => target.slice(1)),
  ]);
  return [...new Set(named)].filter((name) => name !== own && present.has(name));
}

/** Members that a target means now. */
function membersOf(target: string, members: readonly Member[]): readonly Member[] {
  if (target === "all") return members;
  if (target.startsWith("@")) return members.filter(({ name }) => `@${name}` === target);
  if (target.startsWith("role:")) return members.filter(({ role }) => `role:${role}` === target);
  return members.filter(({ owner, kind }) => kind === "agent" && `owner:${owner}` === target);
}

/** Names in a sentence: `ada`, `ada and bob`, `ada, bob and cleo`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const mostNamed = 3;
const counted = (names: readonly string[], what: string): string =>
  names.length > mostNamed ? `${names.length} ${what}` : listed(names);

const away: readonly string[] = ["disconnected", "paused", "late"];

/** Says whom a draft reaches, and which agents it wakes. `thread` are those whom a reply goes to by itself. */
export function reachOf(
  draft: Draft,
  members: readonly Member[],
  own: string,
  thread?: readonly string[],
): string {
  const chosen = draft.to.length > 0 ? draft.to : (thread?.map((name) => `@${name}`) ?? ["all"]);
  const others = members.filter(({ name }) => name !== own);
  const toAll = chosen.includes("all");
  const reached = [...new Set(chosen.flatMap((target) => membersOf(target, others)))];
  const mentions = mentionsIn(draft.text);
  const mentioned = others.filter(({ name, role }) =>
    mentions.some((one) => (one.role === null ? one.name === name : one.role === role)),
  );
  const woken = [...new Set([...reached, ...mentioned])].filter(
    ({ kind, name, delivery_mode, state }) =>
      kind === "agent" &&
      // Who is away gets it once they are back.
      !(state && away.includes(state)) &&
      wakes(delivery_mode ?? "focused", {
        fromPerson: true,
        addressed: !toAll,
        mentioned: mentioned.some((one) => one.name === name),
        repliesToIt: false,
        expectsReply: draft.expectsReply,
        urgent: draft.urgent,
        silent: draft.quiet,
      }),
  );
  const names = woken.map(({ name }) => name);
  const [only] = reached;
  const isAlone = reached.length === 1 && only;
  const verb = draft.ask ? "asks" : "reaches";
  const all = reached.map(({ name }) => name);
  const whom = toAll
    ? "everyone"
    : isAlone
      ? `${only.name} alone`
      : reached.length === 0
        ? "nobody who is here"
        : counted(all, "members");
  if (draft.quiet) return `${verb} ${whom}, and wakes nobody`;
  if (names.length > 0)
    return names.join() === all.join() && isAlone
      ? `${verb} ${whom}, and wakes it`
      : `${verb} ${whom}, and wakes ${counted(names, "agents")}`;
  if (!isAlone || only.kind === "human") return `${verb} ${whom}, and wakes no agent`;
  if (only.state === "disconnected") return `${verb} ${whom}, which is not connected`;
  if (only.state === "paused" || only.state === "late") return `${verb} ${whom}, which is paused`;
  return `${verb} ${whom}, and does not wake it`;
}
