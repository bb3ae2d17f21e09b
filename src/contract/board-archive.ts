import { Board } from "./boards.ts";
import { insideOf, handleForm } from "./forms.ts";
import { greatestSeq } from "./limits.ts";
import { callers, operation } from "./operation.ts";
import { BoardId, BoardName, BoardParams, Hash, Seq } from "./scalars.ts";
import { closed, nullable, record, t, text } from "./schema.ts";

/** A person of the archive, and the one of this server who gets their place. */
const PlaceOf = text({
  maxLength: 90,
  pattern: `^@${insideOf(handleForm)}=@${insideOf(handleForm)}$`,
  description: "a person of the archive and one of this server, such as `@ada=@ada-l`",
});

export const importBoard = operation({
  method: "POST",
  path: "/v1/boards/import",
  tag: "boards",
  summary: "Import a board from another server",
  description:
    "The body is an archive that `service board export` wrote. It is verified whole before anything of it is kept. The board keeps its ids and its log, and is active or archived as it was. Its people and agents stay on the other server: here they have left, and records of them name their server as `origin`. The caller becomes an owner. Each `person` gives somebody of this server the membership that a person of the archive had; messages of before stay with those who wrote them. Without `name` the board keeps its own.",
  success: 201,
  access: "server-admin",
  callers: callers.keyHolders,
  replay: "kept",
  shape: "upload",
  query: closed({
    name: t.Optional(BoardName),
    person: t.Optional(t.Array(PlaceOf, { maxItems: 200 })),
  }),
  response: Board,
  errors: [
    "board_exists",
    "board_name_taken",
    "task_prefix_taken",
    "board_archive_invalid",
    "import_running",
    "archive_too_large",
    "person_not_found",
    "person_not_in_archive",
    "guest_never_owns",
    "too_many_uploads",
  ],
});

export const exportBoard = operation({
  method: "GET",
  path: "/v1/boards/:board/export",
  tag: "boards",
  summary: "Export a board for another server",
  description:
    "The answer is an archive, a tar, of everything that the board's log says up to now: the events as they are stored, the people whom they name with their handles, and the bytes of every version of a file. It holds no credential, nothing by which one could be checked, and no e-mail. `POST /v1/boards/import` of another server takes it. With `since` it holds what came after that event alone, for whoever has the rest: its manifest names that event and its hash. A head before `since` is 409 `board_head_changed`.",
  access: "owns-board",
  callers: callers.keyHolders,
  shape: "archive",
  params: BoardParams,
  query: closed({ since: t.Optional(t.Integer({ minimum: 1, maximum: greatestSeq })) }),
  response: record({
    board_id: BoardId,
    board: BoardName,
    seq: Seq,
    hash: Hash,
    since: nullable(record({ seq: Seq, hash: Hash })),
  }),
  errors: ["record_damaged", "too_many_exports", "export_begins_later"],
});
