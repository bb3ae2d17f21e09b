import { MediaType } from "../../contract/files.ts";
import { roleNameForm } from "../../contract/forms.ts";
import { fits } from "../../contract/validate.ts";
import type { EventData, EventType } from "../../contract/log.ts";
import { refuse } from "../../contract/refusal.ts";
import { askAt } from "../../db/asks.ts";
import { personWithId } from "../../db/accounts.ts";
import { holderOfPrefix } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { fileVersion, fileWithId } from "../../db/files.ts";
import { isJoinCode, joinCodeWithId } from "../../db/join-codes.ts";
import { boardRowOf } from "../../db/log/log-place.ts";
import { memberKeyOf } from "../../db/members.ts";
import { placeOfMessage, postedAt } from "../../db/messages.ts";
import { standInRow } from "../../db/stand-ins.ts";
import { lastTaskNumber, taskWithId } from "../../db/tasks.ts";
import { archiveInvalid } from "../../board-archive/archive-invalid.ts";
import { namedIds, type IdKind } from "./named-ids.ts";
import type { VerifiedEvent } from "../../board-archive/verify-event.ts";

/** Whether something with an id exists, and on which board. */
const boardsOf: Record<
  Exclude<IdKind, "hum">,
  (tx: ReadTx, boardRow: number, id: string) => number | null
> = {
  mem: (tx, _, id) => memberKeyOf(tx, id)?.board_row ?? null,
  msg(tx, _, id) {
    const place = placeOfMessage(tx, id);
    return place === null ? null : boardRowOf(place);
  },
  tsk: (tx, _, id) => taskWithId(tx, id)?.board_row ?? null,
  fil: (tx, _, id) => fileWithId(tx, id)?.board_row ?? null,
  jc: (tx, boardRow, id) =>
    joinCodeWithId(tx, boardRow, id) ? boardRow : isJoinCode(tx, id) ? -1 : null,
};

/** The property with the id of what an event makes. */
const made: { [T in EventType]?: string } = {
  "member.joined": "member_id",
  "person.added": "member_id",
  "message.posted": "message_id",
  "task.created": "task_id",
  "joincode.created": "join_code_id",
  "file.version_added": "file_id",
};

/**
 * Refuses an event that could not have followed the events of its board that are stored already: one that names something
 * of another board or of nobody, or that makes something that is here. It is asked before the event is stored. So no
 * event of an archive can touch anything outside its own board.
 */
export function requireBelongs(tx: ReadTx, boardRow: number, event: VerifiedEvent): void {
  const wrong = (problem: string) =>
    archiveInvalid(`event #${event.seq} (${event.type}) ${problem}`);
  const makes = makesIn(event);
  for (const { kind, id, field } of namedIds(event.type, event.payload)) {
    if (kind === "hum") {
      if (personWithId(tx, id)) throw wrong(`names ${id}, who is a person of this server`);
      if (field === "person_id" && standInRow(tx, boardRow, id) === null)
        throw wrong(`names ${id}, who is not among the people of the archive`);
      continue;
    }
    // The agent that had a board made joins it later.
    if (event.type === "board.created") continue;
    const there = boardsOf[kind](tx, boardRow, id);
    if (field === makes) {
      if (there !== null) throw wrong(`makes ${id}, which is here already`);
    } else if (there !== boardRow) throw wrong(`names ${id}, which the board does not have`);
  }
  requireActor(tx, boardRow, event, wrong);
  (rules[event.type] as Rule<EventType> | undefined)?.(tx, boardRow, event.payload as never, wrong);
}

/** The property with the id of what this event makes; undefined if it makes nothing. */
function makesIn({ type, payload }: VerifiedEvent): string | undefined {
  if (type === "person.added" && payload["rejoined"]) return undefined;
  if (type === "file.version_added" && payload["version"] !== 1) return undefined;
  return made[type];
}

type Wrong = (problem: string) => Error;

/** Who made the board and who joins act before they are members: their own event makes them one. */
function requireActor(tx: ReadTx, boardRow: number, event: VerifiedEvent, wrong: Wrong): void {
  const { kind, member_id: id } = event.actorRecord;
  if (kind === "system" || id === null) return;
  if (event.seq === 1 || id === event.payload["member_id"]) return;
  const member = memberKeyOf(tx, id);
  if (member?.board_row !== boardRow || member.kind !== kind)
    throw wrong(`was made by ${id}, whom the board does not have as ${kind}`);
}

type Rule<T extends EventType> = (
  tx: ReadTx,
  boardRow: number,
  data: EventData<T>,
  wrong: Wrong,
) => void;

/** What the schemas do not say, and what reading a board relies on. */
const rules: { [T in EventType]?: Rule<T> } = {
  "board.created"(_tx, _row, { roles, template }, wrong) {
    const names = Object.keys(roles);
    if (!names.every((name) => roleName.test(name))) throw wrong("has a role whose name is none");
    requireLine(template, wrong);
  },
  "task.updated"(_tx, _row, { title }, wrong) {
    requireLine(title, wrong);
  },
  "board.titled"(_tx, _row, { after }, wrong) {
    requireLine(after, wrong);
  },
  "board.deleted"(_tx, _row, _data, wrong) {
    throw wrong("says that the board was deleted");
  },
  "board.task_prefix_set"(tx, boardRow, { after }) {
    const holder = holderOfPrefix(tx, after);
    if (holder !== null && holder !== boardRow)
      throw refuse("task_prefix_taken", { prefix: after });
  },
  "task.created"(tx, boardRow, { number, ref, title }, wrong) {
    requireLine(title, wrong);
    if (number !== lastTaskNumber(tx, boardRow) + 1)
      throw wrong(`has the number ${number} out of turn`);
    const [prefix = "", digits] = ref.split("-");
    if (digits !== String(number) || holderOfPrefix(tx, prefix) !== boardRow)
      throw wrong(`calls its task ${ref}, which is no reference of this board`);
  },
  "file.version_added"(tx, _row, { file_id, version, media_type }, wrong) {
    // It is sent back as a header.
    if (!fits(MediaType, media_type)) throw wrong("has a media type that is none");
    const latest = fileWithId(tx, file_id)?.latest ?? 0;
    if (version !== latest + 1) throw wrong(`adds version ${version} after version ${latest}`);
  },
  "file.approved": (tx, _row, { file_id: id, version, digest }, wrong) =>
    requireVersion(tx, { id, version, digest }, wrong),
  "message.posted"(tx, _row, data, wrong) {
    for (const ref of data.files ?? []) requireVersion(tx, ref, wrong);
    for (const { id, ref } of data.about ?? [])
      if (taskWithId(tx, id)!.ref !== ref)
        throw wrong(`calls a task ${ref}, which has another reference`);
    if (data.ask && data.answer) throw wrong("is an ask and an answer at once");
    if (data.answer) requireAnswer(tx, data.answer, wrong);
  },
  "ask.withdrawn"(tx, _row, { ask_id: id }, wrong) {
    if (!askAt(tx, placeOfMessage(tx, id)!)) throw wrong("withdraws what is no ask");
  },
};

const roleName = new RegExp(roleNameForm);
/** The longest text that is shown in one line. */
const longestLine = 400;

/** Refuses a text with line breaks, as no operation takes it, where a list shows one line. */
function requireLine(line: string | null | undefined, wrong: Wrong): void {
  if (line && (/[\r\n]/.test(line) || line.length > longestLine))
    throw wrong("has a text of several lines, or a long one, where there is one line");
}

function requireVersion(
  tx: ReadTx,
  { id, version, digest }: { id: string; version: number; digest: string },
  wrong: Wrong,
): void {
  const there = fileVersion(tx, fileWithId(tx, id)!.row, version);
  if (!there || `sha256:${there.sha256}` !== digest)
    throw wrong(`names version ${version} of ${id}, which is not there`);
}

function requireAnswer(
  tx: ReadTx,
  { ask_id: id, option }: NonNullable<EventData<"message.posted">["answer"]>,
  wrong: Wrong,
): void {
  const place = placeOfMessage(tx, id)!;
  if (!askAt(tx, place)) throw wrong("answers what is no ask");
  const { options } = postedAt(tx, place).data.ask!;
  if (option !== null && option > options.length)
    throw wrong("chooses an option that its ask does not have");
}
