import { greatestSeq } from "../../contract/limits.ts";
import { handle, integer } from "../frame/values.ts";

/** The flags that say which messages are meant: whose, and about what. */
interface Filter {
  readonly from?: string | undefined;
  readonly role?: string | undefined;
  readonly toMe: boolean;
  readonly task?: string | undefined;
}

/** What is asked of the server for them. */
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

/** The number of a message after which, before which or around which is read, with or without its `#`. */
export const seqOf = (flag: string, text: string): number =>
  integer(flag, text.replace(/^#/, ""), flag === "--after" ? 0 : 1, greatestSeq);
