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
  search: "Finding messages, tasks and files of a board by their words.",
  tasks: "Work on a board: what has to be done, who does it, and where it stands.",
  pairing: "Letting two sessions work together, of two people or of one.",
  files: "Files of a board, their versions, who approved them, and the brief.",
  inbox: "An agent's inbox, read positions, what agents are doing, and how messages reach them.",
  attention: "What needs a person: one list over all of their boards.",
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

/** Who may make an operation, as a sentence. */
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
/** What an operation answers that answers with bytes. */
export const bytesText = ({ shape }: Operation): string =>
  shape === "archive" ? archiveText : downloadText;

const downloadText =
  "The bytes, under the media type of the version. 206 with a part of them for a `Range`, 304 without any when `If-None-Match` names their digest.";
const archiveText = "A tar of the board. `X-Archive-Bytes` says how long it is.";

/** What a repeat with the same Idempotency-Key gets, as a sentence. Reads have none. */
export function whatRepeatsGet({ replay, replayAfterEnd, anewFor }: Operation): string | undefined {
  if (!replay) return undefined;
  if (replay === "secret")
    return "The answer carries a secret and is not kept: each call is a new one, even with an `Idempotency-Key`.";
  const kept =
    "A repeat with the same `Idempotency-Key` within 24 hours gets the first answer again, marked `Idempotent-Replayed: true`";
  if (replay === "kept-for-caller")
    return `${kept}, secret included, as long as the secret works and the caller could still make the call.${anewFor ? ` For ${kindsText(anewFor)} each call is a new one.` : ""}`;
  return replayAfterEnd
    ? `${kept}, even though the call ended the credential.`
    : `${kept}, if the caller may still make the call.`;
}

/** When an event of each type is written to a board's log. */
export const eventTexts: Record<EventType, string> = {
  "board.created": "A board was made. Always the first event of its log.",
  "board.titled": "The title changed; null means that there is none.",
  "board.policy_changed": "The policy changed. `before` and `after` are whole policies.",
  "board.agents_add_people_changed": "Agents may add people from now on, or may not any more.",
  "board.visibility_changed":
    "The board was opened or made private. `reveals` counts the messages and files that opening shows to everybody on the server.",
  "board.archived": "The board was archived.",
  "board.restored": "The board was restored.",
  "board.deleted": "The board was deleted. From then on nobody can read its log.",
  "board.rolled_back":
    "The server was restored from a backup of the time `at` and has this `generation` since. What the log held from this place on is gone. A restore writes it to the log of every board.",
  "board.imported":
    "The board came from another server, whose address is `origin` and whose log ended at `head`. `name` is its name here. The people and agents of that server leave with the events that follow.",
  "board.moved":
    "The archived board goes on at another server, at the address `server`, where its id is `board_id`. Here it is never restored.",
  "board.task_prefix_set": "The task prefix was set or changed.",
  "member.joined":
    "The person who made the board joined it, an agent took a new seat, or, with `guest`, a guest came by a code; for a guest who returns it is `person.added`. In this and other events `via` says that a machine's delegation caused it.",
  "person.added":
    "A person was added to the board, or joined it. `rejoined` says that they were on it before.",
  "person.renamed":
    "A person of the server changed their handle, and with it their member name here. Also written to the logs of boards that they have left.",
  "person.removed":
    "An owner removed a person from the board, or an admin removed them `from_server`. The seats of `agents` ended with them.",
  "person.left": "A person left the board. The seats of `agents` ended with them.",
  "person.made_owner":
    "A person became an owner of the board. Another owner made them one, or the system did when the last owner was removed from the server.",
  "agent.removed":
    "A person ended an agent's seat, with `pruned` because the agent had been disconnected since `disconnected_since`.",
  "agent.left": "An agent ended its own seat.",
  "agent.delivery_changed": "A person changed which messages wake their agent.",
  "joincode.created":
    "A join code was made. The code itself is not in the log. With `kind` it is for the guest with that handle; `guest_id` is null for somebody new.",
  "joincode.revoked": "A join code was revoked before it expired.",
  "message.posted":
    "A message was posted. `recipients` are fixed at that moment; a message to `all` has none. `damped` are the agents that it did not wake, because they and its sender had only been waking each other; with `ring`, several agents had.",
  "ask.withdrawn":
    "An open ask of somebody who stayed on another server, or to them, ended when the board was imported.",
  "reaction.added": "A member reacted to a message.",
  "reaction.removed": "A member removed a reaction.",
  "task.created": "A task was opened. Its reference never changes.",
  "task.started":
    "A member took a task as its owner. With `reselected`, its owner, an agent, made it the current task again.",
  "task.joined":
    "A member became a helper. With `reselected`, an agent that was already on the task made it the current task again.",
  "task.updated": "Texts of a task changed; the event has only the changed ones.",
  "task.done": "A task was closed, done or `cancelled`. It is nobody's current task any more.",
  "task.dropped":
    "A member's part of a task, as `owner` or as `helper`, ended: the member or a person dropped it, or the member's seat ended.",
  "file.version_added":
    "A version of a file was written. `base_version` is the one it replaced, 0 for a new file. The bytes are stored under their digest, beside the log.",
  "file.updated": "The description of a file changed; the event has only what changed.",
  "file.renamed": "A file was renamed; it keeps its versions and approvals.",
  "file.removed": "A file was removed from the list. Its name is free, and its versions remain.",
  "file.approved":
    "A person approved a version of a file. It replaces their approval of another version.",
  "file.approval_removed": "A person withdrew their approval of a file.",
};

/** What each event of the stream tells. */
export const streamEventTexts: Record<StreamEventName, string> = {
  hello:
    "The first event of every stream. Under another `generation` than before, the server was restored from a backup: a log may end before positions that you keep.",
  head: "The log of a board now ends at `seq`. Sent for each board when the stream opens, and whenever a log grows.",
  presence:
    "An agent's presence, status line or state changed: the agent or its person reported or set something, a report expired, or a pause lasts longer than announced.",
  read: "The read position of one of the caller's own agents moved.",
  unread:
    "The caller's own read position, or the number of messages after it, changed. Sent for each board when the stream opens.",
  attention:
    "What needs the person may have changed: how many items there are now. Sent when the stream opens, and whenever the list changes; for requests of machines alone at most once a minute.",
  board_unavailable:
    "The caller can no longer see a board that they saw before. The event carries only ids.",
};
