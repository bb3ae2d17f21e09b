import { greatestSeq } from "../../../contract/limits.ts";
import { shellWord } from "../../../contract/shell-word.ts";
import { handle, integer } from "../../frame/values.ts";

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

/** The same flags as a command that goes on repeats them, each with a space before it. */
export const filterFlags = ({ from, role, toMe, task }: Filter): string =>
  [
    from && ` --from ${shellWord(handle(from))}`,
    role && ` --role ${shellWord(role)}`,
    toMe && " --to-me",
    task && ` --task ${shellWord(task)}`,
  ]
    .filter(Boolean)
    .join("");

/** The number of a message after which, before which or around which is read, with or without its `#`. */
export const seqOf = (flag: string, text: string): number =>
  integer(flag, text.replace(/^#/, ""), flag === "--after" ? 0 : 1, greatestSeq);
