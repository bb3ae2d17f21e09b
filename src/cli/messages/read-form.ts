import { usageError } from "../../client/machine/local-error.ts";

/** The flags of `read` that select messages. */
export interface ReadFlags {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly around?: string | undefined;
  readonly from?: string | undefined;
  readonly role?: string | undefined;
  readonly toMe: boolean;
  readonly task?: string | undefined;
  readonly limit?: string | undefined;
  readonly markdown: boolean;
  readonly thread?: string | undefined;
  readonly threads: boolean;
  readonly receipts?: string | undefined;
  readonly markRead: boolean;
  readonly as?: string | undefined;
  readonly me: boolean;
  readonly server?: string | undefined;
}

const flags = {
  after: "--after",
  before: "--before",
  around: "--around",
  from: "--from",
  role: "--role",
  toMe: "--to-me",
  task: "--task",
  limit: "--limit",
  markdown: "--markdown",
  thread: "--thread",
  threads: "--threads",
  receipts: "--receipts",
  markRead: "--mark-read",
  as: "--as",
  me: "--me",
  server: "--server",
} as const;
type Flag = keyof typeof flags;

/** Each form of `read`: its name, its flag, and the other flags that it accepts. */
const forms = [
  ["mark-read", "markRead", ["limit", "me", "server"]],
  ["receipts", "receipts", ["as", "me", "server"]],
  ["thread", "thread", ["as", "me", "server"]],
  ["threads", "threads", ["as", "limit", "me", "server"]],
] as const satisfies readonly [string, Flag, readonly Flag[]][];
const windows = ["after", "before", "around"] as const satisfies readonly Flag[];

/** Which form of `read` the flags ask for. Refuses flags that do not go together. */
export function formOf(given: ReadFlags, json: boolean): (typeof forms)[number][0] | "page" {
  const present = (Object.keys(flags) as Flag[]).filter(
    (flag) => given[flag] !== undefined && given[flag] !== false,
  );
  for (const [form, own, allowed] of forms) {
    if (!present.includes(own)) continue;
    const other = present.find(
      (flag) => flag !== own && !(allowed as readonly Flag[]).includes(flag),
    );
    if (other) throw together(own, other);
    return form;
  }
  const [first, second] = windows.filter((flag) => present.includes(flag));
  if (first && second) throw together(first, second);
  if (given.markdown && json)
    throw usageError("`--markdown` and `--json` are two forms of output.", "Choose one of them.");
  return "page";
}

const together = (one: Flag, other: Flag) =>
  usageError(`${flags[one]} and ${flags[other]} do not go together.`, "Leave one of them out.");
