import type { HeldInbox } from "../../db/engine/held-inboxes.ts";
import type { OperationName } from "../../contract/index.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { admit } from "../access/admit.ts";
import type { Standing } from "../access/caller-standing.ts";
import { requireRight } from "../access/required-role.ts";
import { endOf } from "../access/identify.ts";
import { holdInbox } from "../agents/hold-inbox.ts";
import type { MemberRow } from "../../db/members.ts";
import type { Sender, Tools, Topic } from "../handler.ts";
import { handlers, rechecks, refusalRechecks, waits } from "../handlers.ts";
import { jsonOf } from "../rendered-list.ts";
import { RuleAnswer } from "../rule-answer.ts";
import type { Call } from "./request-stages.ts";
import type { Input } from "./input.ts";
import { keptFor, runAndKeep, type Answer, type Keeping } from "./kept-answers.ts";

type Rule = (tx: ReadTx, standing: Standing, input: Input, tools: Tools, sender: Sender) => unknown;
interface AnyWait {
  isEmpty(answer: unknown, input: Input): boolean;
  isIdle?(tx: ReadTx, standing: Standing, input: Input, tools: Tools): boolean;
  topics(standing: Standing, tx: ReadTx): readonly Topic[];
  changesAt?(standing: Standing, tx: ReadTx): string | null;
  waiter?(standing: Standing): MemberRow;
}
type Check = (tx: ReadTx, standing: Standing, ...rest: unknown[]) => void;

/** Answers a write. A repeat gets the kept answer; any other call is admitted, applied and kept, all or nothing. */
export function answerOnce(tx: Tx, call: Call, keeping: Keeping | null): Answer {
  const { op } = call;
  const kept = keeping && keptFor(tx, keeping);
  if (kept) {
    if (!op.replayAfterEnd) admitAgain(tx, call, kept);
    return kept;
  }
  const standing = admit(tx, op, call.presented, call.input);
  return runAndKeep(tx, keeping, () => obey(tx, call, standing));
}

/**
 * Checks the caller of a repeat. A kept answer needs the rights that a new call needs. A kept refusal may say that these
 * rights were missing, so its caller needs only to be admitted.
 */
function admitAgain(tx: ReadTx, { parts, name, op, presented, input }: Call, kept: Answer): void {
  const again = { replay: true };
  const answer = JSON.parse(kept.body) as { error: { code: string } };
  if (kept.status < 300) {
    const now = op.endsBoard ? { ...op, access: "caller" as const } : op;
    const standing = admit(tx, now, presented, input, again);
    requireRight(tx, now, standing, input, again);
    ofName(rechecks, name)?.(tx, standing, answer, parts.tools, input);
  } else {
    const standing = admit(tx, op, presented, input, again);
    ofName(refusalRechecks, name)?.(tx, standing, input, parts.tools, answer.error.code);
  }
}

/** Answers a read: admits the caller and applies the rule. */
export const ruled = (tx: ReadTx, call: Call): Answer =>
  obey(tx, call, admit(tx, call.op, call.presented, call.input));

/** The check of an operation, from a table that has checks for some operations. */
const ofName = (table: object, name: OperationName): Check | undefined =>
  (table as Partial<Record<OperationName, Check>>)[name];

/** Applies the rule, if the admitted caller has the right to it. Every rule runs here and nowhere else. */
function decide(tx: ReadTx, { parts, name, op, input, sender }: Call, standing: Standing): unknown {
  requireRight(tx, op, standing, input);
  const rule = (handlers as unknown as Record<string, Rule>)[name]!;
  return rule(tx, standing, input, parts.tools, sender);
}

function obey(tx: ReadTx, call: Call, standing: Standing): Answer {
  const result = decide(tx, call, standing);
  const status = call.op.success ?? 200;
  if (!(result instanceof RuleAnswer)) return { status, body: jsonOf(result) };
  const { value, session } = result;
  return {
    status: result.status ?? status,
    body: jsonOf(value),
    ...(session !== undefined && { session }),
  };
}

/** Answers once the search index has caught up with the board's log. A caller who may not search is refused first. */
export async function onceIndexed(call: Call): Promise<Answer> {
  const { parts, op, presented, input } = call;
  const { board } = parts.db.read((tx) => admit(tx, op, presented, input) as Standing<"on-board">);
  await parts.indexing.catchUp(board.row);
  return parts.db.read((tx) => ruled(tx, call));
}

/** Answers as soon as there is a result, at the latest when the wait is over. The caller is admitted anew at each try. */
export async function waitFor(call: Call): Promise<Answer> {
  const waiting: Waiting = { held: null };
  try {
    return await resultOf(call, waiting);
  } finally {
    waiting.held?.end();
  }
}

/** What an agent's wait for messages is noted by, once it waits. */
interface Waiting {
  held: HeldInbox | null;
}

/** The result of a wait. */
async function resultOf(call: Call, waiting: Waiting): Promise<Answer> {
  const { parts, name, op, presented, input } = call;
  const gone = call.request.signal;
  const wait = (waits as unknown as Record<string, AnyWait>)[name]!;
  const deadline = performance.now() + (input.query.wait ?? 0) * 1000;
  const isOver = () => performance.now() >= deadline || gone.aborted || parts.hub.closed;
  for (;;) {
    const mayWait = !isOver();
    const look = parts.db.read((tx) => {
      const standing = admit(tx, op, presented, input);
      const caller = standing.caller!;
      requireRight(tx, op, standing, input);
      const isIdle = mayWait && wait.isIdle?.(tx, standing, input, parts.tools) === true;
      const result = isIdle ? null : decide(tx, call, standing);
      const moments = [endOf(caller), wait.changesAt?.(standing, tx) ?? null];
      return {
        result,
        isEmpty: isIdle || wait.isEmpty(result, input),
        waiter: wait.waiter?.(standing),
        topics: [
          ...wait.topics(standing, tx),
          `key:${caller.key.row}` as const,
          ...(caller.session ? [`session:${caller.session.row}` as const] : []),
        ],
        left: Math.min(...moments.map((at) => millisecondsTo(at, tx.now))),
      };
    });
    if (!look.isEmpty || (look.result !== null && isOver()))
      return { status: 200, body: jsonOf(look.result) };
    if (look.waiter) waiting.held ??= holdInbox(parts.db, look.waiter);
    const left = Math.max(0, deadline - performance.now());
    if (!isOver()) await parts.hub.wait(look.topics, Math.min(left, look.left), gone);
  }
}

const millisecondsTo = (moment: string | null, now: string): number =>
  moment === null ? Infinity : Date.parse(moment) - Date.parse(now);
