import { refuse } from "../../contract/refusal.ts";
import type { EventData } from "../../contract/log.ts";
import type { InputOf } from "../../contract/index.ts";
import { personAt } from "../../db/accounts.ts";
import type { BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { activeMembership, memberNamed, type MemberRow } from "../../db/members.ts";
import { namedMembers } from "../messages/targets.ts";
import { instant } from "../time.ts";

type Request = InputOf<"postMessage">["body"];
type RecordedAsk = NonNullable<EventData<"message.posted">["ask"]>;
type About = readonly { readonly id: string; readonly how: string }[];

/** The ask of a new message, and the member it asks. */
export interface Asking {
  readonly to: MemberRow;
  /** Makes the ask as the log records it, once the tasks of the message are known. */
  record(about: About): RecordedAsk;
}

/** The ask of a message, or null for a message without one. Refuses an invalid ask. */
export function askingOf(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  request: Request,
): Asking | null {
  const { ask } = request;
  if (!ask) return null;
  requireForm(request, ask);
  const to = askedMember(tx, board, me, request.to);
  if (ask.approval) requireApprover(tx, request, to);
  const goingAt = goingAtOf(tx, ask);
  return {
    to,
    record: (about) => ({
      to: to.id,
      options: ask.options ?? [],
      blocking: ask.going_with === undefined,
      going_with: ask.going_with ?? null,
      going_at: goingAt,
      // A task that only the text names does not become the ask's task.
      task_id: about.find(({ how }) => how !== "named")?.id ?? null,
      ...(ask.approval && { approval: true as const }),
    }),
  };
}

const invalid = (problem: string) => refuse("ask_invalid", { problem });

function requireForm(request: Request, ask: NonNullable<Request["ask"]>): void {
  if (request.reply_to !== undefined) throw invalid("an ask is no reply");
  if (request.answer) throw invalid("a message does not ask and answer at once");
  if (ask.options?.some((option) => option.trim() === "")) throw invalid("an option is blank");
  if (ask.going_with?.trim() === "") throw invalid("going_with is blank");
  if (ask.going_at !== undefined && ask.going_with === undefined)
    throw invalid("going_at needs going_with");
}

/** The one member who is asked. An agent that names nobody asks its person. */
function askedMember(
  tx: ReadTx,
  board: BoardRow,
  me: MemberRow,
  to: readonly string[] | undefined,
): MemberRow {
  if (!to) {
    const own = me.kind === "agent" ? activeMembership(tx, board.row, me.person_row) : null;
    if (!own) throw invalid("a person's ask names in `to` whom it asks");
    return own;
  }
  const [target = "", ...more] = new Set(to);
  if (more.length || !/^@[a-z0-9]/.test(target))
    throw invalid("an ask goes to exactly one `@name`");
  const asked = memberNamed(tx, board.row, target.slice(1));
  if (asked?.status !== "active") {
    const { members } = namedMembers(tx, board);
    throw invalid(`nobody on the board is called ${target}; its members are ${members}`);
  }
  if (asked.row === me.row) throw invalid("nobody asks themselves");
  return asked;
}

function requireApprover(tx: ReadTx, { ask, files }: Request, to: MemberRow): void {
  if (!files?.length) throw invalid("an ask for an approval names the files");
  if (!ask?.options?.length)
    throw invalid("an ask for an approval has options: the first approves");
  if (to.kind !== "human") throw invalid("an ask for an approval goes to a person");
  if (personAt(tx, to.person_row)!.server_role === "guest")
    throw invalid("an ask for an approval goes to a member of the server, and not to a guest");
}

function goingAtOf(
  tx: ReadTx,
  { going_with, going_at }: NonNullable<Request["ask"]>,
): string | null {
  if (going_with === undefined) return null;
  if (going_at === undefined) return tx.now;
  const time = instant(going_at);
  if (time === null)
    throw refuse("invalid_request", { problem: `going_at is not a valid time: ${going_at}` });
  return time;
}
