import { greatestSeq } from "../../contract/limits.ts";
import { handle, integer } from "../frame/values.ts";

/** The flags that filter messages by sender and subject. */
interface Filter {
  readonly from?: string | undefined;
  readonly role?: string | undefined;
  readonly toMe: boolean;
  readonly task?: string | undefined;
}

/** The query parameters for these flags. */
export const filterQuery = ({ from, role, toMe, task }: Filter) => ({
  ...(from && { from: handle(from) }),
  ...(role && { role }),
  ...(toMe && { to_me: true }),
  ...(task && { task }),
});

/** These flags for the suggestion of a command that reads on. */
export const filterFlags = ({ from, role, toMe, task }: Filter) => ({
  from: from ? handle(from) : undefined,
  role: role || undefined,
  "to-me": toMe,
  task: task || undefined,
});

/** Reads the number in a flag such as `--after`, with or without its `#`. */
export const seqOf = (flag: string, text: string): number =>
  integer(flag, text.replace(/^#/, ""), flag === "--after" ? 0 : 1, greatestSeq);
