import type { OperationName } from "../../src/contract/index.ts";
import type { Besides, BoardKind } from "./access-classes.ts";

/** Something for each of the boards. */
export type OnEachBoard<T> = Readonly<Record<BoardKind, T>>;

/** What a request is about, and for whom. */
export interface Target {
  readonly board: string;
  readonly id: string;
  /** The owner's first message on the board. */
  readonly message: string;
  readonly seq: number;
  /** Id of the owner's agent `writer` there. */
  readonly writer: string;
  /** A code of the owner's for their own sessions. */
  readonly code: string;
  /** Id of another one, which nothing else needs. */
  readonly spare: string;
  /** A guest code for somebody new. */
  readonly guest: string;
  /** A one-time code that signs the owner in. */
  readonly loginCode: string;
  /** The token of a browser's session. */
  readonly session: string;
  /** Pairing requests of the owner's writer to the member: one that waits, one declined, one cancelled. */
  readonly pairings: Readonly<Record<"waiting" | "declined" | "cancelled", string>>;
  /** Id of the member's agent there. */
  readonly scout: string;
  /** Handle of the person who asks, or whose agent does. */
  readonly self: string;
}
interface Request {
  readonly params?: Record<string, string | number>;
  readonly query?: Record<string, string>;
  readonly body?: Record<string, unknown>;
}

/** One request of an operation, about any board. */
export interface Sample {
  readonly of: OperationName;
  readonly request: (at: Target) => Request;
  /** What it comes to for whoever is admitted: 200 unless said. */
  readonly ok: string | OnEachBoard<string>;
  /** Whoever is admitted changes what others are asked about: the scene is spent then. */
  readonly spends?: true;
}

const nothing = () => ({});
const inPath = ({ board }: Target): Request => ({ params: { board } });
const byId = ({ id }: Target): Request => ({ params: { board: id } });
const inMessage = ({ message }: Target): Request => ({ params: { message } });
const reactingWith =
  (reaction: string) =>
  ({ message }: Target): Request => ({ params: { message, reaction } });
const withBody =
  (body: (at: Target) => Record<string, unknown>) =>
  (at: Target): Request => ({ ...inPath(at), body: body(at) });
const bodyAlone =
  (body: (at: Target) => Record<string, unknown>) =>
  (at: Target): Request => ({ body: body(at) });
/** The board's first task. */
const inTask = ({ board }: Target): Request => ({ params: { board, task: "1" } });
/** One that no board has, with a body if given. */
const unknownTask =
  (body?: Record<string, unknown>) =>
  ({ board }: Target): Request => ({ params: { board, task: "999" }, ...(body && { body }) });
/** The board's file. */
const inFile =
  (more: Record<string, string> = {}) =>
  ({ board }: Target): Request => ({ params: { board, file: "plan.md", ...more } });
/** One that no board has, with a body if given. */
const unknownFile =
  (body?: Record<string, unknown>) =>
  ({ board }: Target): Request => ({ params: { board, file: "nothing" }, ...(body && { body }) });
const nobody = (prefix: string) => `${prefix}_${"0".repeat(26)}`;

/** A code that an archived board does not take, and that ends with its board. */
const guestCode: OnEachBoard<string> = {
  open: "409 name_taken",
  private: "409 name_taken",
  archived: "409 board_archived",
  archivedPrivate: "409 board_archived",
  deleted: "404 join_code_invalid",
  missing: "404 join_code_invalid",
};

type Asked = Omit<Sample, "of" | "ok"> & { readonly ok?: Sample["ok"] };

/**
 * The sample of every operation. Where success would change what the next cell needs, it asks for something that only an
 * admitted caller is told about: what is unknown, taken or over.
 */
const samples: Record<OperationName, Asked> = {
  getInfo: { request: nothing },
  previewLoginCode: { request: bodyAlone(({ loginCode }) => ({ code: loginCode })) },
  // The session is the same before and after.
  startBrowserSession: {
    request: bodyAlone(({ session }) => ({ token: session, confirm_switch: true })),
    ok: "201",
  },
  createBrowserToken: {
    request: bodyAlone(() => ({ code: "nonsense" })),
    ok: "404 login_code_invalid",
  },
  connect: {
    request: bodyAlone(() => ({ invite: "nonsense", handle: "nobody", key_name: "laptop" })),
    ok: "404 invite_invalid",
  },
  startMachineRequest: {
    request: bodyAlone(() => ({ handle: "No Body", label: "phone" })),
    ok: "422 handle_invalid",
  },
  collectMachineRequest: {
    request: bodyAlone(() => ({ secret: "nonsense" })),
    ok: "404 machine_request_invalid",
  },
  guestJoin: {
    request: bodyAlone(({ guest }) => ({ code: guest, key_name: "laptop", name: "writer" })),
    ok: guestCode,
  },

  getMe: { request: nothing },
  listBoards: { request: () => ({ query: { all: "true", lifecycle: "all" } }) },
  listServerPeople: { request: () => ({ query: { handle: "owner" } }) },
  getSettings: { request: nothing },
  stream: { request: nothing },
  createBoard: {
    request: bodyAlone(() => ({ template: "nonsense" })),
    ok: "422 template_not_found",
  },
  pruneAgents: { request: bodyAlone(() => ({ disconnected_for: 3600, dry_run: true })) },
  getMidturnPolicy: { request: nothing },
  // What holds until something is set.
  setMidturnPolicy: { request: bodyAlone(() => ({ policy: "my-agents" })) },
  listOwnAgents: { request: nothing },

  listKeys: { request: nothing },
  createKey: { request: bodyAlone(() => ({ name: "machine" })), ok: "409 key_name_taken" },
  revokeKey: { request: () => ({ params: { key: nobody("key") } }), ok: "404 key_not_found" },
  createLoginCode: { request: nothing, ok: "201" },
  listBrowserSessions: { request: nothing },
  endBrowserSession: {
    request: () => ({ params: { session: nobody("ses") } }),
    ok: "404 browser_session_not_found",
  },
  // Whoever may has no browser.
  endBrowserTokens: { request: nothing },
  createDelegation: { request: bodyAlone(() => ({ name: "phone" })), ok: "201" },
  renamePerson: { request: ({ self }) => ({ params: { handle: self }, body: { handle: self } }) },
  listServerInvites: { request: nothing },
  revokeServerInvite: {
    request: () => ({ params: { invite: nobody("inv") } }),
    ok: "404 invite_not_found",
  },
  getOnboardingReceipt: { request: nothing },
  lookupMachineRequest: {
    request: bodyAlone(() => ({ code: "000-000" })),
    ok: "404 machine_request_invalid",
  },
  approveMachineRequest: {
    request: bodyAlone(() => ({ code: "000-000" })),
    ok: "404 machine_request_invalid",
  },
  refuseMachineRequest: {
    request: bodyAlone(() => ({ code: "000-000" })),
    ok: "404 machine_request_invalid",
  },

  updateSettings: { request: bodyAlone(() => ({ board_creation: "members" })) },
  createServerInvite: { request: nothing, ok: "201" },
  setServerRole: {
    request: () => ({ params: { handle: "stranger" }, body: { server_role: "member" } }),
  },
  removeFromServer: {
    request: () => ({ params: { handle: "stranger" }, query: { dry_run: "true" } }),
  },

  getBrowserSession: { request: nothing },
  signOut: { request: nothing, spends: true },

  getInbox: { request: nothing },
  ackInbox: { request: bodyAlone(() => ({ up_to: 0 })) },
  setPresence: { request: bodyAlone(() => ({ presence: "idle" })) },
  setLine: { request: bodyAlone(() => ({ kind: "working", text: "Reading" })) },
  clearLine: { request: nothing },
  getDeliveryQueue: { request: nothing },
  reportDeliveryQueue: {
    request: bodyAlone(() => ({ session: "s", boot: "b", expected_epoch: 7 })),
    ok: "409 queue_report_conflict",
  },
  setAgentLocation: {
    request: bodyAlone(() => ({ harness: "codex", session_id: "9", folder: "/docs" })),
  },
  leaveAsAgent: { request: nothing, spends: true },

  createDelegatedBoard: {
    request: bodyAlone(() => ({ session: "codex:9", harness: "codex", template: "nonsense" })),
    ok: "422 template_not_found",
  },

  getBoard: { request: inPath },
  listPeople: { request: inPath },
  listMembers: { request: inPath },
  listJoinCodes: { request: inPath },
  listMessages: { request: inPath },
  getReceipts: { request: ({ board, seq }) => ({ params: { board, seq } }) },
  listThreads: { request: inPath },
  searchBoard: { request: ({ board }) => ({ params: { board }, query: { q: "hello" } }) },
  listEvents: { request: inPath },
  getMessage: { request: inMessage },
  listReplies: { request: inMessage },
  addReaction: { request: reactingWith("eyes") },
  removeReaction: { request: reactingWith("tada") },
  postMessage: { request: withBody(() => ({ body: "hello" })), ok: "201" },
  ackBoard: { request: withBody(() => ({ up_to: 0 })) },

  listAsks: { request: nothing },
  getAllowance: { request: nothing },
  // The set that they have.
  setAllowance: { request: bodyAlone(() => ({ categories: [] })) },
  listPairingRequests: { request: nothing },
  createPairingRequest: {
    request: bodyAlone(({ id, writer }) => ({
      board_id: id,
      initiating_agent_id: writer,
      work: "Review",
      recipient_id: nobody("hum"),
    })),
    ok: "404 person_not_found",
  },
  getPairingRequest: { request: ({ pairings }) => ({ params: { pairing: pairings.waiting } }) },
  acceptPairingRequest: {
    request: ({ pairings, scout }) => ({
      params: { pairing: pairings.waiting },
      body: { agent_id: scout, generation: 1 },
    }),
  },
  // The other side's to tell of.
  verifyPairingRoundTrip: {
    request: ({ pairings }) => ({
      params: { pairing: pairings.waiting },
      body: {
        generation: 1,
        direction: "initiator_to_recipient",
        handoff_id: "one",
        ping_seq: 1,
        reply_seq: 2,
      },
    }),
    ok: "422 invalid_request",
  },
  // Declined and cancelled before.
  declinePairingRequest: {
    request: ({ pairings }) => ({ params: { pairing: pairings.declined } }),
  },
  cancelPairingRequest: {
    request: ({ pairings }) => ({ params: { pairing: pairings.cancelled } }),
  },
  createPairingCredential: {
    request: bodyAlone(({ pairings }) => ({
      request_id: pairings.waiting,
      side: "recipient",
      agent_id: nobody("mem"),
      session_binding: `sha256:${"0".repeat(64)}`,
      generation: 1,
      client_token: `abp_${"0".repeat(43)}`,
    })),
    ok: "404 agent_not_found",
  },

  listTasks: { request: inPath },
  getTask: { request: inTask },
  createTask: { request: withBody(() => ({ title: "A task" })), ok: "201" },
  updateTask: { request: unknownTask({ title: "A task" }), ok: "404 task_not_found" },
  startTask: { request: unknownTask(), ok: "404 task_not_found" },
  joinTask: { request: unknownTask(), ok: "404 task_not_found" },
  finishTask: { request: unknownTask({ note: "Done." }), ok: "404 task_not_found" },
  dropTask: { request: unknownTask(), ok: "404 task_not_found" },

  listFiles: { request: inPath },
  getFile: { request: inFile() },
  getFileVersion: { request: inFile({ version: "1" }) },
  putFile: {
    request: ({ board }) => ({ params: { board }, query: { name: "plan.md" } }),
    ok: "409 file_exists",
  },
  removeFile: { request: unknownFile(), ok: "404 file_not_found" },
  updateFile: { request: unknownFile({ maintained: true }), ok: "404 file_not_found" },
  approveFile: { request: unknownFile({ version: 1 }), ok: "404 file_not_found" },
  removeFileApproval: { request: unknownFile(), ok: "404 file_not_found" },

  createJoinCode: { request: withBody(() => ({ role: "nobody" })), ok: "422 role_not_found" },
  addPerson: { request: withBody(() => ({ handle: "newcomer" })), ok: "201", spends: true },
  // Revoked once it is so from then on.
  revokeJoinCode: { request: ({ board, spare }) => ({ params: { board, join_code: spare } }) },
  // The title that it has.
  updateBoard: { request: withBody(() => ({ title: "A title" })) },

  // The mode that it has.
  setDeliveryMode: {
    request: ({ board }) => ({ params: { board, member: "writer" }, body: { mode: "focused" } }),
  },
  setMemberLine: {
    request: ({ board }) => ({
      params: { board, member: "writer" },
      body: { kind: "working", text: "Reading" },
    }),
  },
  clearMemberLine: { request: ({ board }) => ({ params: { board, member: "writer" } }) },
  leaveBoard: { request: inPath, spends: true },
  addOwner: { request: withBody(() => ({ handle: "newcomer" })), ok: "404 person_not_on_board" },
  setVisibility: { request: withBody(() => ({ visibility: "private", dry_run: true })) },
  removePerson: {
    request: ({ board }) => ({ params: { board, handle: "newcomer" } }),
    ok: "404 person_not_on_board",
  },

  archiveBoard: { request: inPath, spends: true },
  restoreBoard: { request: inPath, spends: true },
  deleteBoard: { request: inPath, spends: true },
  removeAgent: {
    request: ({ board }) => ({ params: { board, member: "writer" } }),
    spends: true,
  },
  join: {
    request: bodyAlone(({ board }) => ({ board, role: "nobody", session: "codex:9" })),
    ok: "422 role_not_found",
  },
};

/** The second form of some. */
const others: Record<Besides, Asked & { readonly of: OperationName }> = {
  "listAsks of the board": {
    of: "listAsks",
    request: ({ board }) => ({ query: { board } }),
  },
  "listServerPeople of everybody": { of: "listServerPeople", request: nothing },
  "pruneAgents of everybody": {
    of: "pruneAgents",
    request: bodyAlone(() => ({ disconnected_for: 3600, dry_run: true, all: true })),
  },
  // What it has: none of its own.
  "setMidturnPolicy of an agent": {
    of: "setMidturnPolicy",
    request: bodyAlone(({ writer }) => ({ policy: null, member_id: writer })),
  },
  // To the handle that they have.
  "renamePerson of somebody else": {
    of: "renamePerson",
    request: () => ({ params: { handle: "newcomer" }, body: { handle: "newcomer" } }),
  },
  "createServerInvite to the board": {
    of: "createServerInvite",
    request: bodyAlone(({ id }) => ({ boards: [id] })),
    ok: "201",
  },
  "createJoinCode for a guest": {
    of: "createJoinCode",
    request: withBody(() => ({ role: "member", guest: "owner" })),
    ok: "409 handle_taken",
  },
  "updateBoard, its policy": {
    of: "updateBoard",
    request: withBody(() => ({ policy: { preset: "starter" } })),
  },
  "addPerson, oneself": {
    of: "addPerson",
    request: withBody(({ self }) => ({ handle: self })),
    ok: "201",
    spends: true,
  },
  "removePerson, oneself": {
    of: "removePerson",
    request: ({ board, self }) => ({ params: { board, handle: self } }),
    spends: true,
  },
  "setVisibility to open": {
    of: "setVisibility",
    request: withBody(() => ({ visibility: "open", dry_run: true })),
  },
  "join by a code": {
    of: "join",
    request: bodyAlone(({ code }) => ({ code, name: "writer" })),
    ok: "409 name_taken",
  },
  "archiveBoard by id": { of: "archiveBoard", request: byId, spends: true },
  "restoreBoard by id": { of: "restoreBoard", request: byId, spends: true },
  "deleteBoard by id": { of: "deleteBoard", request: byId, spends: true },
  "removeAgent by id": {
    of: "removeAgent",
    request: ({ id, writer }) => ({ params: { board: id, member: writer } }),
    spends: true,
  },
};

/** Everything that is asked, by name: each operation, then the second forms. */
export const asked: Readonly<Record<OperationName | Besides, Sample>> = Object.fromEntries([
  ...Object.entries(samples).map(([of, sample]) => [of, { ok: "200", ...sample, of }]),
  ...Object.entries(others).map(([name, sample]) => [name, { ok: "200", ...sample }]),
]);
