import { canonical } from "../contract/canonical.ts";
import { eventTypes, type EventType } from "../contract/log.ts";
import {
  EventId,
  Handle,
  Hash,
  BoardId,
  MemberName,
  Seq,
  type Actor,
} from "../contract/scalars.ts";
import { closed, nullable, oneOf, t, text } from "../contract/schema.ts";
import { idForm } from "../contract/forms.ts";
import { fits } from "../contract/validate.ts";
import { hashOfEvent, sha256, type EventRow } from "../db/log/chain.ts";
import { archiveInvalid } from "./archive-invalid.ts";

/** An event of an archive as this server would have stored it. */
export interface VerifiedEvent extends Omit<EventRow, "place"> {
  readonly seq: number;
  readonly actorRecord: typeof Actor.static;
  readonly payload: Readonly<Record<string, unknown>>;
}

const exactTime = text({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" });
const Line = closed({
  id: EventId,
  board_id: BoardId,
  seq: Seq,
  type: t.String(),
  at: exactTime,
  actor: t.Union([
    closed({
      kind: oneOf("agent", "human"),
      member_id: text({ pattern: idForm("mem") }),
      name: MemberName,
      owner: nullable(Handle),
    }),
    // Somebody who is not on the board, such as an admin who archives it.
    closed({ kind: t.Literal("human"), member_id: t.Null(), name: Handle, owner: t.Null() }),
    closed({ kind: t.Literal("system"), member_id: t.Null(), name: t.Null(), owner: t.Null() }),
  ]),
  data: t.Record(t.String(), t.Unknown()),
  data_hash: Hash,
  prev_hash: Hash,
  hash: Hash,
});

interface Before {
  readonly boardId: string;
  readonly seq: number;
  readonly hash: string;
}

/** Reads a line of an archive's log. Refuses an event that does not follow the one before in the chain, or that this program does not know. */
export function verifiedEvent(line: string, before: Before): VerifiedEvent {
  const seq = before.seq + 1;
  const wrong = (problem: string) => archiveInvalid(`event #${seq} ${problem}`);
  const event = parsed(line);
  if (!fits(Line, event)) throw wrong("has not the form of an event");
  const { type, at } = event;
  if (event.seq !== seq) throw wrong(`is out of order: it says that it is #${event.seq}`);
  if (event.board_id !== before.boardId) throw wrong("is of another board");
  if (!isKnown(type))
    throw wrong(
      `is of the type ${JSON.stringify(type.slice(0, 60))}, which this program does not know: the archive is of a newer server`,
    );
  if (new Date(at).toJSON() !== at) throw wrong(`says that it happened at ${at}, which is no time`);
  if (!fits(eventTypes()[type], event.data)) throw wrong(`has data that no ${type} can have`);
  const row = { id: event.id, type, at, ...canonicalParts(event, wrong) };
  const hash = hashOfEvent(row, before.boardId, seq, before.hash);
  if (event.data_hash !== `sha256:${row.data_hash}`)
    throw wrong("has other data than its hash says");
  if (event.prev_hash !== `sha256:${before.hash}`)
    throw wrong("does not follow the event before it");
  if (event.hash !== `sha256:${hash}`) throw wrong("is not what its hash says");
  return { ...row, hash, seq, actorRecord: event.actor, payload: event.data };
}

/** Reads a line that `verifiedEvent` has read before, and checks nothing. */
export function eventAgain(line: string): VerifiedEvent {
  const { id, seq, type, at, actor, data, data_hash, hash } = parsed(line);
  return {
    id,
    seq,
    type: type as EventType,
    at,
    actor: canonical(actor),
    data: canonical(data),
    data_hash: data_hash.slice("sha256:".length),
    hash: hash.slice("sha256:".length),
    actorRecord: actor,
    payload: data,
  };
}

function parsed(line: string): typeof Line.static {
  try {
    return JSON.parse(line) as typeof Line.static;
  } catch {
    throw archiveInvalid("a line of the log in it is no JSON");
  }
}

const isKnown = (type: string): type is EventType => Object.hasOwn(eventTypes(), type);

/** The texts that are hashed. What cannot be hashed, such as a lone surrogate, was never in a log. */
function canonicalParts(event: typeof Line.static, wrong: (problem: string) => Error) {
  try {
    const data = canonical(event.data);
    return { actor: canonical(event.actor), data, data_hash: sha256(data) };
  } catch {
    throw wrong("has something that cannot be hashed");
  }
}
