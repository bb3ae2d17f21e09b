import type { OperationName } from "../../contract/index.ts";
import type { ReadTx, Tx } from "../../db/engine/database.ts";
import { admit } from "../access/admit.ts";
import type { Standing } from "../access/standing.ts";
import { requireRight } from "../access/rights.ts";
import { endOf } from "../access/identify.ts";
import type { Sender, Tools, Topic } from "../handler.ts";
import { handlers, rechecks, refusalRechecks, waits } from "../handlers.ts";
import { jsonOf } from "../rendered-list.ts";
import { Reply } from "../reply.ts";
import type { Call } from "./call.ts";
import type { Input } from "./input.ts";
import { keptFor, runAndKeep, type Answer, type Keeping } from "./kept.ts";

type Rule = (tx: ReadTx, standing: Standing, input: Input, tools: Tools, sender: Sender) => unknown;
interface AnyWait {
  isEmpty(answer: unknown): boolean;
  topics(standing: Standing): readonly Topic[];
}
type Check = (tx: ReadTx, standing: Standing, ...rest: unknown[]) => void;

/** A repeat gets the kept answer; anything else is admitted, ruled and kept, all or nothing. */
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

/** A kept answer needs the authority that a new call needs; a kept refusal was decided by it, and needs no more than a place. */
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

/** A reading's answer. */
export const ruled = (tx: ReadTx, call: Call): Answer =>
  obey(tx, call, admit(tx, call.op, call.presented, call.input));

/** The check of an operation in a table that does not have one for each. */
const ofName = (table: object, name: OperationName): Check | undefined =>
  (table as Partial<Record<OperationName, Check>>)[name];

/** Applies the rule for a caller who was admitted, once they have the right to it. No rule runs in another way. */
function decide(tx: ReadTx, { parts, name, op, input, sender }: Call, standing: Standing): unknown {
  requireRight(tx, op, standing, input);
  const rule = (handlers as unknown as Record<string, Rule>)[name]!;
  return rule(tx, standing, input, parts.tools, sender);
}

function obey(tx: ReadTx, call: Call, standing: Standing): Answer {
  const result = decide(tx, call, standing);
  const status = call.op.success ?? 200;
  if (!(result instanceof Reply)) return { status, body: jsonOf(result) };
  const { value, session } = result;
  return {
    status: result.status ?? status,
    body: jsonOf(value),
    ...(session !== undefined && { session }),
  };
}

/** Answers once the search index has come after the log of the board. Who may not search it is refused before. */
export async function onceIndexed(call: Call): Promise<Answer> {
  const { parts, op, presented, input } = call;
  const { board } = parts.db.read((tx) => admit(tx, op, presented, input) as Standing<"on-board">);
  await parts.indexing.catchUp(board.row);
  return parts.db.read((tx) => ruled(tx, call));
}

/** Answers as soon as there is something to answer with, at the latest when the time is up. Each look admits again. */
export async function waitFor(call: Call): Promise<Answer> {
  const { parts, name, op, presented, input } = call;
  const gone = call.request.signal;
  const wait = (waits as unknown as Record<string, AnyWait>)[name]!;
  const deadline = performance.now() + (input.query.wait ?? 0) * 1000;
  for (;;) {
    const look = parts.db.read((tx) => {
      const standing = admit(tx, op, presented, input);
      const caller = standing.caller!;
      const ends = endOf(caller);
      return {
        result: decide(tx, call, standing),
        topics: [
          ...wait.topics(standing),
          `key:${caller.key.row}` as const,
          ...(caller.session ? [`session:${caller.session.row}` as const] : []),
        ],
        left: ends === null ? Infinity : Date.parse(ends) - Date.parse(tx.now),
      };
    });
    const left = deadline - performance.now();
    if (left <= 0 || gone.aborted || parts.hub.closed || !wait.isEmpty(look.result))
      return { status: 200, body: jsonOf(look.result) };
    await parts.hub.wait(look.topics, Math.min(left, look.left), gone);
  }
}
