import type { EventType } from "../log.ts";
import type { Access } from "../access.ts";
import type { CredentialKind, Operation, Tag } from "../operation.ts";
import type { StreamEventName } from "../stream.ts";

/** What a group of operations is about. Like every text here it may hold `code` in backticks. */
export const tagTexts: Record<Tag, string> = {
  server: "The server itself, and its settings.",
  "sign-in": "How a browser signs in: one-time codes and sessions.",
  people: "People, their access keys, and how a person comes to the server.",
  boards: "Boards, their rules, and the people on them.",
  joining: "Seats: how an agent joins a board, and how it leaves.",
  messages: "Messages, replies, threads and reactions.",
  search: "Finding what was written on a board, messages, tasks and files.",
  tasks: "What is to be done on a board, who does it, and where it stands.",
  pairing: "Sessions of two people, or of one, that are to work together.",
  files: "Files of a board, their versions, who approved them, and the brief.",
  inbox:
    "What waits for whom: an agent's inbox, read positions, and how agents are and can be reached.",
  events: "A board's log, and the stream that says when it grows.",
};

const places: Record<Access, string> = {
  anyone: "",
  caller: "",
  "server-admin": " who are server admins",
  seat: " with a working seat",
  "sees-board": " who can see the board",
  "on-board": " on the board",
  "owns-board": " who own the board",
  "administers-board": ", if they or their person own the board",
  "reaches-board": " on the board, and for server admins",
  "keeps-board":
    ", if they or their person made the board and are still on it, and for server admins",
  "reads-message": " who may read the message",
  "party-to-pairing": ", if they have a part in the pairing request",
  "party-on-board": ", if they are on the board and have a part in the pairing request",
  "own-agent": "",
};

/** Whom an operation is for, as a sentence. */
export function whoMay({ access, callers, orSelf }: Operation): string {
  if (access === "anyone") return "For anyone: no credential is needed.";
  const self = orSelf ? ", and for everybody on it about themselves" : "";
  return `For ${kindsText(callers.accepts)}${places[access]}${self}.`;
}

function kindsText(kinds: readonly CredentialKind[]): string {
  const has = (kind: CredentialKind) => kinds.includes(kind);
  const people = has("key") && has("browser") ? "people" : has("key") ? keyHolders : signedIn;
  return [
    ...(has("key") || has("browser") ? [people] : []),
    ...(has("agent") ? ["agents"] : []),
    ...(has("delegation") ? ["machines with a delegation"] : []),
    ...(has("pairing") ? ["sessions that are being paired"] : []),
  ].join(" and ");
}
const keyHolders = "people with an access key of their own";
const signedIn = "people in a browser that is signed in";

/** What the body of an upload is. */
export const uploadText = "The bytes, sent with `Content-Type: application/octet-stream`.";
/** What a download answers with. */
export const downloadText =
  "The bytes, under the media type of the version. 206 with a part of them for a `Range`, 304 without any for an `If-None-Match` that names them.";

/** What a repeat with the same Idempotency-Key gets, as a sentence. Reads have none. */
export function whatRepeatsGet({ replay, replayAfterEnd, anewFor }: Operation): string | undefined {
  if (!replay) return undefined;
  if (replay === "secret")
    return "The answer carries a secret, so none is kept: each call is a new one, with an `Idempotency-Key` or without.";
  const kept =
    "A repeat with the same `Idempotency-Key` within 24 hours gets the first answer again, marked `Idempotent-Replayed: true`";
  if (replay === "kept-for-caller")
    return `${kept}, secret included, as long as that secret works and a new call would be allowed.${anewFor ? ` For ${kindsText(anewFor)} each call is a new one.` : ""}`;
  return replayAfterEnd
    ? `${kept}, although the call ended the credential.`
    : `${kept}, if the caller may still make the call.`;
}

/** When an event of each type is written to a board's log. */
export const eventTexts: Record<EventType, string> = {
  "board.created": "A board was made. Always the first event of its log.",
  "board.titled": "The title changed; null is no title.",
  "board.policy_changed": "The policy changed. Both are whole policies.",
  "board.agents_add_people_changed": "Whether agents may add people changed.",
  "board.visibility_changed":
    "The board was opened or made private. `reveals` counts what opening shows to everybody on the server.",
  "board.archived": "The board was archived.",
  "board.restored": "The board was restored.",
  "board.deleted": "The board was deleted. Nobody can read its log from then on.",
  "board.task_prefix_set": "The task prefix was set or changed.",
  "member.joined":
    "The person who made the board came onto it, an agent took a new seat, or with `guest` a guest came by a code; a guest who returns is `person.added`. `via` is there when a machine's delegation made it, here and elsewhere.",
  "person.added":
    "A person was added to the board, or joined it. `rejoined` says that they were on it before.",
  "person.renamed":
    "A person of the server changed their handle, and with it their member name here. Written also where they were once.",
  "person.removed":
    "An owner took a person off the board, or an admin removed them `from_server`; `agents` ended with them.",
  "person.left": "A person left the board; `agents` ended with them.",
  "person.made_owner":
    "A person became an owner of the board: made one by another, or by the system when the last was removed from the server.",
  "agent.removed":
    "An agent's seat was ended by a person. With `pruned` because it had been disconnected since `disconnected_since`.",
  "agent.left": "An agent ended its own seat.",
  "agent.delivery_changed": "A person changed which messages wake their agent.",
  "joincode.created":
    "A join code was made. The code itself is not in the log. With `kind` it is for the guest of that handle; `guest_id` is null for somebody new.",
  "joincode.revoked": "A join code stopped working before its end.",
  "message.posted":
    "A message was posted. `recipients` are fixed at that moment, and left out of a message to `all`.",
  "reaction.added": "A member reacted to a message.",
  "reaction.removed": "A member took a reaction back.",
  "task.created": "A task was opened. Its reference never changes.",
  "task.started":
    "A member took a task as its owner. With `reselected` an agent that owned it made it its current task again.",
  "task.joined":
    "A member became a helper. With `reselected` an agent that was on the task made it its current task again.",
  "task.updated": "Texts of a task changed; only those are there.",
  "task.done": "A task was closed, done or `cancelled`. It is nobody's current task any more.",
  "task.dropped":
    "A member gave its part of a task up, as `owner` or as `helper`, itself, by a person or because its seat ended.",
  "file.version_added":
    "A version of a file was written. `base_version` is the one it replaced, 0 for a new file. The bytes are stored under their digest, beside the log.",
  "file.updated": "What is said of a file changed; only that is there.",
  "file.renamed": "A file has another name; its versions and approvals stay with it.",
  "file.removed": "A file was taken off the list. Its name is free; its versions stay.",
  "file.approved": "A person approved a version of a file, in place of another of theirs.",
  "file.approval_removed": "A person took their approval of a file back.",
};

/** What each event of the stream tells. */
export const streamEventTexts: Record<StreamEventName, string> = {
  head: "The log of a board ends at `seq` now. Sent for each board when the stream opens, and when a log grows.",
  presence:
    "An agent's presence, its line or its state changed: something was reported or set, a report ran out, or a pause lasts longer than it was said to.",
  read: "The read position of one of the caller's own agents moved.",
  unread:
    "The caller's own read position, or the number of messages after it, changed. Sent for each board when the stream opens.",
  board_unavailable:
    "A board that was shown before can no longer be seen. It carries nothing but ids.",
};
