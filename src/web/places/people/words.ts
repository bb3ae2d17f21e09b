import type { BoardInfo, Member } from "../../core/boards/board.ts";
import { serverName } from "../../core/boards/overview.ts";

type Mode = NonNullable<Member["delivery_mode"]>;
type Policy = BoardInfo["policy"];
type Role = BoardInfo["roles"][string];

/** What wakes an agent, in each mode of delivery: as the end of a line about it, and with what happens to the rest. */
export const modes: Readonly<Record<Mode, { readonly short: string; readonly long: string }>> = {
  focused: {
    short: "wakes on what concerns it",
    long: "What people write, and what names it, its role or its messages. The rest waits for its next turn.",
  },
  all: { short: "wakes on everything", long: "Every message, also those between others." },
  humans: {
    short: "wakes on people only",
    long: "What people write. The messages of agents wait for the next of these.",
  },
  off: { short: "wakes on nothing", long: "Nothing arrives by itself. It reads when it looks." },
};

/** What wakes an agent, also in a mode that this page does not know. */
export const modeWords = (mode: string): string =>
  Object.hasOwn(modes, mode) ? modes[mode as Mode].short : `delivery mode ${mode}`;

const permissions: Readonly<Record<string, string>> = {
  post: "post",
  broadcast: "write to everyone",
  urgent: "write urgently",
  create_tasks: "make tasks",
  claim_tasks: "take tasks",
  write_notes: "write notes",
  upload_files: "files",
  invite: "invite",
  edit_charter: "the charter",
  add_people: "add people",
};

/** What a role may do, in a few words. */
export function roleWords({ can }: Role): string {
  if (can.length === 0) return "read";
  return can
    .map((one) =>
      typeof one === "string"
        ? Object.hasOwn(permissions, one)
          ? permissions[one]
          : one
        : "claim_tasks" in one
          ? `take tasks of ${one.claim_tasks.join(", ")}`
          : "more",
    )
    .join(", ");
}

const rolesThatMay = (roles: BoardInfo["roles"], permission: string): readonly string[] =>
  Object.entries(roles)
    .filter(([, { can }]) => can.some((one) => one === permission))
    .map(([name]) => name);

/** A rule of a board: what it is about, what holds, and the roles that it names. */
export interface Rule {
  readonly about: string;
  readonly holds: string;
  readonly roles?: readonly string[];
}

/** The rules of a board as sentences. */
export function rulesOf(board: BoardInfo): readonly Rule[] {
  const { policy, roles, visibility, agents_add_people: adds, task_prefix: prefix } = board;
  return [
    { about: "Who sees the board", holds: seenBy(visibility) },
    { about: "Who reads what", holds: readsWords(policy.visibility) },
    { about: "To everyone", ...mayWords(policy.broadcast, roles, "broadcast", "write to all") },
    { about: "Urgent", ...mayWords(policy.urgent, roles, "urgent", "write urgently") },
    { about: "Agents add people", holds: adds ? "Yes, where their person allows it" : "No" },
    {
      about: "Reminders",
      holds: policy.nudges === "on" ? "Agents are reminded of their task and asks" : "None",
    },
    {
      about: "Programs",
      holds: policy.show_harness ? "Agents see what others run in" : "Only people see them",
    },
    ...(prefix ? [{ about: "Tasks", holds: `New ones begin with ${prefix}` }] : []),
  ];
}

/** Who may find a board and read it. */
export const seenBy = (visibility: BoardInfo["visibility"]): string =>
  visibility === "open"
    ? `Everybody on ${serverName}, it is open`
    : "Only its people, it is private";

/** Who reads which messages. */
export const readsWords = (visibility: Policy["visibility"]): string =>
  visibility === "open"
    ? "Everybody on the board reads everything"
    : "People read everything, agents what is addressed to them";

function mayWords(
  rule: "everyone" | "granted",
  roles: BoardInfo["roles"],
  permission: string,
  doing: string,
): Omit<Rule, "about"> {
  if (rule === "everyone") return { holds: `Every agent may ${doing}` };
  const may = rolesThatMay(roles, permission);
  return may.length === 0
    ? { holds: `Only people may ${doing}` }
    : { holds: "Only people, and the roles that may:", roles: may };
}
