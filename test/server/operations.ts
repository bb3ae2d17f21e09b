import type { OperationName } from "../../src/contract/index.ts";
import {
  agents,
  browsers,
  gone,
  off,
  on,
  unpaired,
  type Access,
  type BoardKind,
  type Exception,
} from "../support/access-matrix/expected-answers.ts";
import { smallArchive } from "../support/boards/board-archive.ts";
import { selection } from "../support/boards/board-with-pairing.ts";
import type { Place } from "../support/boards/boards-with-one-of-everything.ts";

/*
 * Every operation once, written by hand from the contract: its class of access, what the matrix asks, what succeeds, and
 * what a repeat gets. Nothing here is read from the table of operations.
 */

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

/** What a repeat with the same Idempotency-Key gets. Reads have no say in it. */
export type Repeat =
  | "kept"
  /** Kept for nobody: the call ends the credential that made it. */
  | "kept in vain"
  /** Kept, and given again once the caller is back. */
  | "kept for who returns"
  /** Each call is a new one. */
  | "made anew";

/** One request of an operation, about any board. */
export interface Sample {
  readonly of: OperationName;
  /** The class of access, and where the operation departs from it. */
  readonly access: Access;
  /**
   * What the matrix asks. Where success would change what the next cell needs, it asks for something that only an
   * admitted caller is told about: what is unknown, taken or over.
   */
  readonly request: (at: Target) => Request;
  /** What it comes to for whoever is admitted: 200 unless said. */
  readonly ok: string | OnEachBoard<string>;
  /** Whoever is admitted changes what others are asked about: the scene is spent then. */
  readonly spends?: true;
  /** A request that ana's key, or her agent's token, succeeds with at `docs`, unless the matrix's is one. */
  readonly whole?: (at: Place) => Request;
  /** It succeeds with 201, or with the status given. */
  readonly makes?: true | 202;
  /** What a repeat gets; every operation says it that changes something. */
  readonly repeat?: Repeat;
}

const nothing = () => ({});
const inPath = ({ board }: Pick<Target, "board">): Request => ({ params: { board } });
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

const agentsNever: Exception = {
  why: "an agent never deletes, and is told so before the board is looked at",
  gets: agents("403 human_token_required"),
};
const onlyArchived: Exception = {
  why: "only an archived board is deleted",
  gets: {
    owner: ["409 board_not_archived", "409 board_not_archived", "ok", "ok", gone, gone],
    admin: ["409 board_not_archived", gone, "ok", gone, gone, gone],
    adminBrowser: ["409 board_not_archived", gone, "ok", gone, gone, gone],
  },
};
const adminsById: Exception = {
  why: "by its id an admin reaches a private board that they are not on",
  gets: { admin: on("ok"), adminBrowser: on("ok") },
};
const ownersDecide = "a board is changed by its owners, and that is looked at before an archive";
const notForMembers = {
  member: on("403 admin_required"),
  browser: on("403 admin_required"),
  browserToken: on("403 admin_required"),
} as const;

const ownersAgent: Exception = {
  why: "an agent's line is its own person's to set, guests included, and the agent is the owner's",
  gets: {
    member: on("403 agent_owner_required"),
    guest: on("403 agent_owner_required"),
    browser: on("403 agent_owner_required"),
    browserToken: on("403 agent_owner_required"),
    guestBrowser: on("403 agent_owner_required"),
  },
};

const activeBoard: Exception = {
  why: "it is written to the log, so an archived board takes none",
  gets: {
    owner: on("ok", "409 board_archived"),
    member: on("ok", "409 board_archived"),
    browser: on("ok", "409 board_archived"),
    browserToken: on("ok", "409 board_archived"),
  },
};

const ofGuests: Exception = {
  why: "a guest puts their own items aside",
  gets: { guest: "ok", guestBrowser: "ok" },
};

const inBrowsersToo: Exception = {
  why: "an admin looks after backups in a browser too",
  gets: {
    ...browsers("403 server_admin_required"),
    adminBrowser: "ok",
    guestBrowser: "403 guest_not_allowed",
  },
};
const changedInBrowsersToo: Exception = {
  ...inBrowsersToo,
  gets: {
    ...inBrowsersToo.gets,
    browserWithoutOrigin: "403 origin_not_allowed",
    browserWithoutCsrf: "403 csrf_token_invalid",
  },
};

let put = 0;

/** Every operation. */
const samples: Record<OperationName, Asked> = {
  getInfo: {
    access: ["open"],
    request: nothing,
  },
  previewLoginCode: {
    access: ["open"],
    request: bodyAlone(({ loginCode }) => ({ code: loginCode })),
    whole: ({ loginCodes }) => ({ body: { code: loginCodes[0] } }),
    repeat: "made anew",
  },
  startBrowserSession: {
    access: ["open"],
    // The session is the same before and after.
    request: bodyAlone(({ session }) => ({ token: session, confirm_switch: true })),
    ok: "201",
    whole: ({ loginCodes }) => ({ body: { code: loginCodes[1] } }),
    makes: true,
    repeat: "made anew",
  },
  createBrowserToken: {
    access: ["open"],
    request: bodyAlone(() => ({ code: "nonsense" })),
    ok: "404 login_code_invalid",
    whole: ({ loginCodes }) => ({ body: { code: loginCodes[2] } }),
    makes: true,
    repeat: "made anew",
  },
  connect: {
    access: ["open"],
    request: bodyAlone(() => ({ invite: "nonsense", handle: "nobody", key_name: "laptop" })),
    ok: "404 invite_invalid",
    whole: ({ invite }) => ({ body: { invite, handle: "newcomer", key_name: "laptop" } }),
    makes: true,
    repeat: "made anew",
  },
  startMachineRequest: {
    access: ["open"],
    request: bodyAlone(() => ({ handle: "No Body", label: "phone" })),
    ok: "422 handle_invalid",
    whole: () => ({ body: { handle: "ana", label: "phone" } }),
    makes: true,
    repeat: "made anew",
  },
  collectMachineRequest: {
    access: ["open"],
    request: bodyAlone(() => ({ secret: "nonsense" })),
    ok: "404 machine_request_invalid",
    whole: ({ collect }) => ({ body: { secret: collect } }),
    makes: true,
    repeat: "made anew",
  },
  guestJoin: {
    access: ["open"],
    request: bodyAlone(({ guest }) => ({ code: guest, key_name: "laptop", name: "writer" })),
    ok: guestCode,
    whole: ({ guest }) => ({ body: { code: guest, key_name: "laptop" } }),
    makes: true,
    repeat: "made anew",
  },
  getMe: {
    access: ["self"],
    request: nothing,
  },
  listBoards: {
    access: [
      "self",
      { why: "it is one of a delegation's three operations", gets: { delegation: "ok" } },
    ],
    request: () => ({ query: { all: "true", lifecycle: "all", form: "short" } }),
    whole: () => ({}),
  },
  listServerPeople: {
    access: ["directory"],
    request: () => ({ query: { handle: "owner" } }),
    whole: () => ({ query: { handle: "ana" } }),
  },
  getSettings: {
    access: ["peopleRead"],
    request: nothing,
  },
  stream: {
    access: [
      "peopleRead",
      { why: "guests follow their boards", gets: { guest: "ok", guestBrowser: "ok" } },
    ],
    request: nothing,
  },
  getAttention: {
    access: [
      "peopleRead",
      { why: "guests have their boards' items", gets: { guest: "ok", guestBrowser: "ok" } },
    ],
    request: nothing,
  },
  snoozeAttention: {
    access: ["peopleChange", ofGuests],
    request: () => ({ params: { item: "nothing" }, body: { until: "2026-01-02T00:00:00Z" } }),
    ok: "404 attention_not_found",
    whole: ({ attention: { mention } }) => ({
      params: { item: mention },
      body: { until: "2026-01-02T00:00:00Z" },
    }),
    repeat: "kept",
  },
  endSnooze: {
    access: ["peopleChange", ofGuests],
    request: () => ({ params: { item: "nothing" } }),
    ok: "404 attention_not_found",
    whole: ({ attention: { mention } }) => ({ params: { item: mention } }),
    repeat: "kept",
  },
  dismissAttention: {
    access: ["peopleChange", ofGuests],
    request: () => ({ params: { item: "nothing" } }),
    ok: "404 attention_not_found",
    whole: ({ attention: { mention } }) => ({ params: { item: mention } }),
    repeat: "kept",
  },
  createBoard: {
    access: ["peopleChange"],
    request: bodyAlone(() => ({ template: "nonsense" })),
    ok: "422 template_not_found",
    whole: () => ({ body: {} }),
    makes: true,
    repeat: "kept",
  },
  pruneAgents: {
    access: ["peopleChange"],
    request: bodyAlone(() => ({ disconnected_for: 3600, dry_run: true })),
    whole: () => ({ body: { disconnected_for: 3600, dry_run: true } }),
    repeat: "kept",
  },
  getMidturnPolicy: {
    access: ["self"],
    request: nothing,
  },
  setMidturnPolicy: {
    access: ["peopleChange"],
    // What holds until something is set.
    request: bodyAlone(() => ({ policy: "my-agents" })),
    whole: () => ({ body: { policy: "owner-only" } }),
    repeat: "kept",
  },
  listOwnAgents: {
    access: ["self"],
    request: nothing,
  },
  listKeys: {
    access: ["ownKey"],
    request: nothing,
  },
  createKey: {
    access: ["ownKey"],
    request: bodyAlone(() => ({ name: "machine" })),
    ok: "409 key_name_taken",
    whole: () => ({ body: { name: "phone" } }),
    makes: true,
    repeat: "made anew",
  },
  revokeKey: {
    access: ["ownKey"],
    request: () => ({ params: { key: nobody("key") } }),
    ok: "404 key_not_found",
    whole: ({ key }) => ({ params: { key } }),
    repeat: "kept",
  },
  createLoginCode: {
    access: ["ownKey", { why: "guests sign in", gets: { guest: "ok" } }],
    request: nothing,
    ok: "201",
    makes: true,
    repeat: "made anew",
  },
  listBrowserSessions: {
    access: ["ownKey"],
    request: nothing,
  },
  endBrowserSession: {
    access: ["ownKey"],
    request: () => ({ params: { session: nobody("ses") } }),
    ok: "404 browser_session_not_found",
    whole: ({ session }) => ({ params: { session } }),
    repeat: "kept",
  },
  endBrowserTokens: {
    access: ["ownKey"],
    // Whoever may has no browser.
    request: nothing,
    repeat: "kept",
  },
  createDelegation: {
    access: ["ownKey"],
    request: bodyAlone(() => ({ name: "phone" })),
    ok: "201",
    whole: () => ({ body: { name: "phone" } }),
    makes: true,
    repeat: "made anew",
  },
  renamePerson: {
    access: ["ownKey"],
    request: ({ self }) => ({ params: { handle: self }, body: { handle: self } }),
    whole: () => ({ params: { handle: "cy" }, body: { handle: "cyan" } }),
    repeat: "kept",
  },
  listServerInvites: {
    access: ["ownKey"],
    request: nothing,
  },
  revokeServerInvite: {
    access: ["ownKey"],
    request: () => ({ params: { invite: nobody("inv") } }),
    ok: "404 invite_not_found",
    whole: ({ inviteId }) => ({ params: { invite: inviteId } }),
    repeat: "kept",
  },
  getOnboardingReceipt: {
    access: [
      "ownKey",
      {
        why: "the first person of a server came by no invitation",
        gets: { admin: "404 not_found" },
      },
    ],
    request: nothing,
  },
  lookupMachineRequest: {
    access: ["ownKey"],
    request: bodyAlone(() => ({ code: "000-000" })),
    ok: "404 machine_request_invalid",
    whole: ({ requests }) => ({ body: { code: requests.lookup } }),
    repeat: "kept",
  },
  approveMachineRequest: {
    access: ["ownKey"],
    request: bodyAlone(() => ({ code: "000-000" })),
    ok: "404 machine_request_invalid",
    whole: ({ requests }) => ({ body: { code: requests.approve } }),
    repeat: "kept",
  },
  refuseMachineRequest: {
    access: ["ownKey"],
    request: bodyAlone(() => ({ code: "000-000" })),
    ok: "404 machine_request_invalid",
    whole: ({ requests }) => ({ body: { code: requests.refuse } }),
    repeat: "kept",
  },
  importBoard: {
    access: ["serverAdmin"],
    request: nothing,
    // The matrix sends no archive.
    ok: "422 board_archive_invalid",
    whole: () => ({ body: smallArchive() as never }),
    makes: true,
    repeat: "kept",
  },
  exportBoard: {
    access: ["boardOwner", { why: "it takes a key", gets: browsers("403 human_token_required") }],
    request: inPath,
    whole: ({ board }) => ({ params: { board } }),
  },
  updateSettings: {
    access: ["serverAdmin"],
    request: bodyAlone(() => ({ board_creation: "members" })),
    whole: () => ({ body: { board_creation: "members" } }),
    repeat: "kept",
  },
  createBackup: {
    access: ["serverAdmin", changedInBrowsersToo],
    request: nothing,
    ok: "202",
    whole: () => ({ body: {} }),
    makes: 202,
    repeat: "kept",
  },
  listBackups: { access: ["serverAdmin", inBrowsersToo], request: nothing },
  getBackup: {
    access: ["serverAdmin", inBrowsersToo],
    request: () => ({ params: { backup: "old" } }),
  },
  deleteBackup: {
    access: ["serverAdmin"],
    request: () => ({ params: { backup: "none" } }),
    ok: "404 backup_not_found",
    whole: () => ({ params: { backup: "old" } }),
    repeat: "kept",
  },
  listRestores: { access: ["serverAdmin", inBrowsersToo], request: nothing },
  getNumbers: { access: ["serverAdmin", inBrowsersToo], request: nothing },
  createServerInvite: {
    access: ["serverAdmin"],
    request: nothing,
    ok: "201",
    whole: () => ({ body: {} }),
    makes: true,
    repeat: "made anew",
  },
  setServerRole: {
    access: ["serverAdmin"],
    request: () => ({ params: { handle: "stranger" }, body: { server_role: "member" } }),
    whole: () => ({ params: { handle: "cleo" }, body: { server_role: "admin" } }),
    repeat: "kept",
  },
  removeFromServer: {
    access: ["serverAdmin"],
    request: () => ({ params: { handle: "stranger" }, query: { dry_run: "true" } }),
    whole: () => ({ params: { handle: "dee" } }),
    repeat: "kept",
  },
  getBrowserSession: {
    access: [
      "ownSession",
      {
        why: "a reading needs neither Origin nor token",
        gets: { browserWithoutOrigin: "ok", browserWithoutCsrf: "ok" },
      },
    ],
    request: nothing,
  },
  signOut: {
    access: ["ownSession"],
    request: nothing,
    spends: true,
    repeat: "kept in vain",
  },
  getInbox: {
    access: ["ownSeat"],
    request: nothing,
  },
  streamInbox: {
    access: ["ownSeat"],
    request: nothing,
  },
  ackInbox: {
    access: ["ownSeat"],
    request: bodyAlone(() => ({ up_to: 0 })),
    whole: () => ({ body: { up_to: 1 } }),
    repeat: "kept",
  },
  setPresence: {
    access: ["ownSeat"],
    request: bodyAlone(() => ({ presence: "idle" })),
    whole: () => ({ body: { presence: "idle" } }),
    repeat: "kept",
  },
  setLine: {
    access: ["ownSeat"],
    request: bodyAlone(() => ({ kind: "working", text: "Reading" })),
    whole: () => ({ body: { kind: "working", text: "Reading" } }),
    repeat: "kept",
  },
  clearLine: {
    access: ["ownSeat"],
    request: nothing,
    repeat: "kept",
  },
  getDeliveryQueue: {
    access: ["ownSeat"],
    request: nothing,
  },
  reportDeliveryQueue: {
    access: ["ownSeat"],
    request: bodyAlone(() => ({ session: "s", boot: "b", expected_epoch: 7 })),
    ok: "409 queue_report_conflict",
    whole: () => ({ body: { session: "s", boot: "b", expected_epoch: 0 } }),
    repeat: "kept",
  },
  setAgentLocation: {
    access: ["ownSeat"],
    request: bodyAlone(() => ({ harness: "codex", session_id: "9", folder: "/docs" })),
    whole: () => ({
      body: { harness: "codex", session_id: "9", folder: "/home/ana/docs" },
    }),
    repeat: "kept",
  },
  leaveAsAgent: {
    access: ["ownSeat"],
    request: nothing,
    spends: true,
    repeat: "kept",
  },
  createDelegatedBoard: {
    access: ["machine"],
    request: bodyAlone(() => ({ session: "codex:9", harness: "codex", template: "nonsense" })),
    ok: "422 template_not_found",
    whole: () => ({ body: { session: "codex:9", harness: "codex" } }),
    makes: true,
    repeat: "kept",
  },
  getBoard: {
    access: ["seeing"],
    request: inPath,
  },
  listPeople: {
    access: ["seeing"],
    request: inPath,
  },
  listMembers: {
    access: ["inside"],
    request: inPath,
  },
  listMessages: {
    access: ["inside"],
    request: inPath,
  },
  getReceipts: {
    access: ["inside"],
    request: ({ board, seq }) => ({ params: { board, seq } }),
  },
  listThreads: {
    access: ["inside"],
    request: inPath,
  },
  searchBoard: {
    access: ["inside"],
    request: ({ board }) => ({ params: { board }, query: { q: "hello" } }),
  },
  listEvents: {
    access: ["inside"],
    request: ({ board }) => ({ params: { board }, query: { newest: "true", before: "9" } }),
    whole: inPath,
  },
  getMessage: {
    access: ["message"],
    request: inMessage,
  },
  listReplies: {
    access: ["message"],
    request: inMessage,
  },
  addReaction: {
    access: ["reacting"],
    request: reactingWith("eyes"),
    whole: ({ message }) => ({ params: { message, reaction: "eyes" } }),
    repeat: "kept",
  },
  removeReaction: {
    access: ["reacting"],
    request: reactingWith("tada"),
    whole: ({ message }) => ({ params: { message, reaction: "eyes" } }),
    repeat: "kept",
  },
  postMessage: {
    access: ["talking"],
    request: withBody(() => ({ body: "hello" })),
    ok: "201",
    whole: ({ board }) => ({ params: { board }, body: { body: "hello" } }),
    makes: true,
    repeat: "kept",
  },
  ackBoard: {
    access: ["bookkeeping"],
    request: withBody(() => ({ up_to: 0 })),
    whole: ({ board }) => ({ params: { board }, body: { up_to: 1 } }),
    repeat: "kept",
  },
  listAsks: {
    access: ["self"],
    request: nothing,
  },
  getAllowance: {
    access: ["peopleRead"],
    request: nothing,
  },
  setAllowance: {
    access: ["peopleChange"],
    // The set that they have.
    request: bodyAlone(() => ({ categories: [] })),
    whole: () => ({ body: { categories: ["add-people"] } }),
    repeat: "kept",
  },
  listPairingRequests: {
    access: ["directory"],
    request: nothing,
  },
  createPairingRequest: {
    access: ["pairingForWriter"],
    request: bodyAlone(({ id, writer }) => ({
      board_id: id,
      initiating_agent_id: writer,
      work: "Review",
      recipient_id: nobody("hum"),
    })),
    ok: "404 person_not_found",
    whole: ({ boardId, agentId, ana }) => ({
      body: { board_id: boardId, recipient_id: ana, initiating_agent_id: agentId, work: "Review" },
    }),
    makes: true,
    repeat: "kept",
  },
  getPairingRequest: {
    access: ["pairingParties"],
    request: ({ pairings }) => ({ params: { pairing: pairings.waiting } }),
    whole: ({ pairings }) => ({ params: { pairing: pairings.shown } }),
  },
  acceptPairingRequest: {
    access: ["pairingSession"],
    request: ({ pairings, scout }) => ({
      params: { pairing: pairings.waiting },
      body: { agent_id: scout, generation: 1 },
    }),
    whole: ({ paired }) => ({
      params: { pairing: paired.request },
      body: { agent_id: paired.agent, generation: 1 },
    }),
    repeat: "kept",
  },
  verifyPairingRoundTrip: {
    access: ["pairingSession"],
    // The other side's to tell of.
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
    whole: ({ paired }) => ({
      params: { pairing: paired.request },
      body: {
        generation: 1,
        direction: "recipient_to_initiator",
        handoff_id: "one",
        ping_seq: paired.ping,
        reply_seq: paired.reply,
      },
    }),
    repeat: "kept",
  },
  declinePairingRequest: {
    access: ["pairingRecipient"],
    // Declined and cancelled before.
    request: ({ pairings }) => ({ params: { pairing: pairings.declined } }),
    repeat: "kept",
  },
  cancelPairingRequest: {
    access: [
      "pairingRecipient",
      {
        why: "it is for whoever asked",
        gets: {
          owner: on("ok", "ok", unpaired),
          member: on("403 forbidden", "403 forbidden", unpaired),
        },
      },
    ],
    request: ({ pairings }) => ({ params: { pairing: pairings.cancelled } }),
    repeat: "kept",
  },
  createPairingCredential: {
    access: [
      "pairingRecipient",
      {
        why: "it takes a key",
        gets: browsers("403 human_token_required"),
      },
    ],
    request: bodyAlone(({ pairings }) => ({
      request_id: pairings.waiting,
      side: "recipient",
      agent_id: nobody("mem"),
      session_binding: `sha256:${"0".repeat(64)}`,
      generation: 1,
      client_token: `abp_${"0".repeat(43)}`,
    })),
    ok: "404 agent_not_found",
    whole: ({ pairings, agentId }) => ({
      body: selection(pairings.shown, "initiator", agentId, { proof: pairings.proof }),
    }),
    repeat: "kept",
  },
  listTasks: {
    access: ["inside"],
    request: inPath,
    whole: ({ board }) => ({ params: { board }, query: { state: "all" } }),
  },
  getTask: {
    access: ["inside"],
    request: inTask,
    whole: ({ board, tasks }) => ({ params: { board, task: tasks.open } }),
  },
  createTask: {
    access: ["membersChange"],
    request: withBody(() => ({ title: "A task" })),
    ok: "201",
    whole: ({ board }) => ({ params: { board }, body: { title: "A task" } }),
    makes: true,
    repeat: "kept",
  },
  updateTask: {
    access: ["membersChange"],
    request: unknownTask({ title: "A task" }),
    ok: "404 task_not_found",
    whole: ({ board, tasks }) => ({
      params: { board, task: tasks.done },
      body: { stands: "halfway" },
    }),
    repeat: "kept",
  },
  startTask: {
    access: ["membersChange"],
    request: unknownTask(),
    ok: "404 task_not_found",
    whole: ({ board, tasks }) => ({ params: { board, task: tasks.open } }),
    repeat: "kept",
  },
  joinTask: {
    access: ["membersChange"],
    request: unknownTask(),
    ok: "404 task_not_found",
    whole: ({ board, tasks }) => ({ params: { board, task: tasks.open } }),
    repeat: "kept",
  },
  finishTask: {
    access: ["membersChange"],
    request: unknownTask({ note: "Done." }),
    ok: "404 task_not_found",
    whole: ({ board, tasks }) => ({
      params: { board, task: tasks.done },
      body: { note: "It is done." },
    }),
    repeat: "kept",
  },
  dropTask: {
    access: ["membersChange"],
    request: unknownTask(),
    ok: "404 task_not_found",
    whole: ({ board, tasks, agent }) => ({
      params: { board, task: tasks.dropped },
      body: { member: agent },
    }),
    repeat: "kept",
  },
  listFiles: {
    access: ["inside"],
    request: inPath,
  },
  getFile: {
    access: ["inside"],
    request: inFile(),
    whole: ({ board, files }) => ({ params: { board, file: files.kept } }),
  },
  getFileVersion: {
    access: ["inside"],
    request: inFile({ version: "1" }),
    whole: ({ board, files }) => ({
      params: { board, file: files.kept, version: "latest" },
    }),
  },
  putFile: {
    access: ["membersChange"],
    request: ({ board }) => ({ params: { board }, query: { name: "plan.md" } }),
    ok: "409 file_exists",
    // A name of its own each time: a file is made once.
    whole: ({ board }) => ({ params: { board }, query: { name: `new-${++put}.txt` } }),
    makes: true,
    repeat: "kept",
  },
  removeFile: {
    access: ["membersChange"],
    request: unknownFile(),
    ok: "404 file_not_found",
    whole: ({ board, files }) => ({ params: { board, file: files.removed } }),
    repeat: "kept",
  },
  updateFile: {
    access: ["membersChange"],
    request: unknownFile({ maintained: true }),
    ok: "404 file_not_found",
    whole: ({ board, files }) => ({
      params: { board, file: files.kept },
      body: { maintained: true },
    }),
    repeat: "kept",
  },
  approveFile: {
    access: ["peopleOnBoard", activeBoard],
    request: unknownFile({ version: 1 }),
    ok: "404 file_not_found",
    whole: ({ board, files }) => ({
      params: { board, file: files.kept },
      body: { version: 1 },
    }),
    repeat: "kept",
  },
  removeFileApproval: {
    access: ["peopleOnBoard", activeBoard],
    request: unknownFile(),
    ok: "404 file_not_found",
    whole: ({ board, files }) => ({ params: { board, file: files.kept } }),
    repeat: "kept",
  },
  createJoinCode: {
    access: ["membersChange"],
    request: withBody(() => ({ role: "nobody" })),
    ok: "422 role_not_found",
    whole: ({ board }) => ({ params: { board }, body: { role: "member" } }),
    makes: true,
    repeat: "made anew",
  },
  addPerson: {
    access: ["membersChange"],
    request: withBody(() => ({ handle: "newcomer" })),
    ok: "201",
    spends: true,
    whole: ({ board }) => ({ params: { board }, body: { handle: "dee" } }),
    makes: true,
    repeat: "kept",
  },
  listJoinCodes: {
    access: [
      "inside",
      {
        why: "guests hand nothing out",
        gets: {
          guest: on("403 guest_not_allowed"),
          guestAgent: on("403 guest_not_allowed"),
          guestBrowser: on("403 guest_not_allowed"),
        },
      },
    ],
    request: inPath,
  },
  revokeJoinCode: {
    access: [
      "membersChange",
      {
        why: "codes are revoked on an archived board too, and by an agent only those that it made",
        gets: {
          owner: on("ok"),
          member: on("ok"),
          ownerAgent: on("403 forbidden"),
          memberAgent: on("403 forbidden"),
          browser: on("ok"),
          browserToken: on("ok"),
        },
      },
    ],
    // Revoked once it is so from then on.
    request: ({ board, spare }) => ({ params: { board, join_code: spare } }),
    whole: ({ board, code }) => ({ params: { board, join_code: code } }),
    repeat: "kept",
  },
  updateBoard: {
    access: [
      "membersChange",
      { why: ownersDecide, gets: { ...notForMembers, memberAgent: on("403 admin_required") } },
    ],
    // The title that it has.
    request: withBody(() => ({ title: "A title" })),
    whole: ({ board }) => ({ params: { board }, body: { title: "A title" } }),
    repeat: "kept",
  },
  setDeliveryMode: {
    access: [
      "peopleOnBoard",
      {
        why: "an agent's mode is its own person's to set, and the agent is the owner's",
        gets: {
          member: on("403 agent_owner_required"),
          browser: on("403 agent_owner_required"),
          browserToken: on("403 agent_owner_required"),
        },
      },
    ],
    // The mode that it has.
    request: ({ board }) => ({ params: { board, member: "writer" }, body: { mode: "focused" } }),
    whole: ({ board, agent }) => ({
      params: { board, member: agent },
      body: { mode: "all" },
    }),
    repeat: "kept",
  },
  setMemberLine: {
    access: ["peopleOnBoard", ownersAgent],
    request: ({ board }) => ({
      params: { board, member: "writer" },
      body: { kind: "working", text: "Reading" },
    }),
    whole: ({ board, agent }) => ({
      params: { board, member: agent },
      body: { kind: "working", text: "Reading" },
    }),
    repeat: "kept",
  },
  clearMemberLine: {
    access: ["peopleOnBoard", ownersAgent],
    request: ({ board }) => ({ params: { board, member: "writer" } }),
    whole: ({ board, agent }) => ({ params: { board, member: agent } }),
    repeat: "kept",
  },
  leaveBoard: {
    access: [
      "peopleOnBoard",
      { why: "guests leave", gets: { guest: on("ok"), guestBrowser: on("ok") } },
      { why: "a board keeps an owner", gets: { owner: on("409 last_owner") } },
    ],
    request: inPath,
    spends: true,
    repeat: "kept for who returns",
  },
  addOwner: {
    access: [
      "boardOwner",
      {
        why: "an archived board has to be restored before anybody rises on it",
        gets: { owner: on("ok", "409 board_archived") },
      },
    ],
    request: withBody(() => ({ handle: "newcomer" })),
    ok: "404 person_not_on_board",
    whole: ({ board }) => ({ params: { board }, body: { handle: "bo" } }),
    repeat: "kept",
  },
  setVisibility: {
    access: ["boardOwner"],
    request: withBody(() => ({ visibility: "private", dry_run: true })),
    whole: ({ board }) => ({ params: { board }, body: { visibility: "open" } }),
    repeat: "kept",
  },
  removePerson: {
    access: ["boardOwner"],
    request: ({ board }) => ({ params: { board, handle: "newcomer" } }),
    ok: "404 person_not_on_board",
    whole: ({ board }) => ({ params: { board, handle: "cleo" } }),
    repeat: "kept",
  },
  archiveBoard: {
    access: ["housekeeping"],
    request: inPath,
    spends: true,
    repeat: "kept",
  },
  restoreBoard: {
    access: ["housekeeping"],
    request: inPath,
    spends: true,
    repeat: "kept",
  },
  moveBoard: {
    access: [
      "housekeeping",
      agentsNever,
      onlyArchived,
      { why: "it takes a key", gets: browsers("403 human_token_required") },
    ],
    request: ({ board }) => ({
      params: { board },
      body: {
        server: "https://other.example",
        board_id: `brd_${"0".repeat(26)}`,
        head: { seq: 1, hash: `sha256:${"0".repeat(64)}` },
      },
    }),
    ok: "409 board_head_changed",
    whole: ({ board, boardId, head }) => ({
      params: { board },
      body: { server: "https://other.example", board_id: boardId, head: head() },
    }),
    repeat: "kept",
  },
  deleteBoard: {
    access: ["housekeeping", agentsNever, onlyArchived],
    request: inPath,
    spends: true,
    repeat: "kept",
  },
  removeAgent: {
    access: ["endingSeats"],
    request: ({ board }) => ({ params: { board, member: "writer" } }),
    spends: true,
    whole: ({ board, agent }) => ({ params: { board, member: agent } }),
    repeat: "kept",
  },
  join: {
    access: ["seating"],
    request: bodyAlone(({ board }) => ({ board, role: "nobody", session: "codex:9" })),
    ok: "422 role_not_found",
    whole: ({ board }) => ({ body: { board, role: "member" } }),
    makes: true,
    repeat: "kept",
  },
};

/** Operations asked a second time, in another form that other rules hold for. */
const others: Record<string, Asked & { readonly of: OperationName }> = {
  "listAsks of the board": {
    access: ["inside"],
    of: "listAsks",
    request: ({ board }) => ({ query: { board } }),
  },
  "listServerPeople of everybody": {
    access: [
      "directory",
      {
        why: "an agent looks one person up, and lists nobody",
        gets: {
          ownerAgent: "403 human_token_required",
          memberAgent: "403 human_token_required",
          agentElsewhere: "403 human_token_required",
        },
      },
    ],
    of: "listServerPeople",
    request: nothing,
  },
  "pruneAgents of everybody": {
    access: [
      "peopleChange",
      {
        why: "whose agents are others', is for server admins",
        gets: {
          owner: "403 server_admin_required",
          member: "403 server_admin_required",
          stranger: "403 server_admin_required",
          browser: "403 server_admin_required",
          browserToken: "403 server_admin_required",
        },
      },
    ],
    of: "pruneAgents",
    request: bodyAlone(() => ({ disconnected_for: 3600, dry_run: true, all: true })),
  },
  "setMidturnPolicy of an agent": {
    access: ["settingForAgent"],
    // What it has: none of its own.
    of: "setMidturnPolicy",
    request: bodyAlone(({ writer }) => ({ policy: null, member_id: writer })),
  },
  "renamePerson of somebody else": {
    access: ["serverAdmin"],
    // To the handle that they have.
    of: "renamePerson",
    request: () => ({ params: { handle: "newcomer" }, body: { handle: "newcomer" } }),
  },
  "createServerInvite to the board": {
    access: [
      "serverAdmin",
      {
        why: "an invitation brings to boards that the inviter is on; being an admin opens none",
        gets: { admin: off("403 not_on_board") },
      },
    ],
    of: "createServerInvite",
    request: bodyAlone(({ id }) => ({ boards: [id] })),
    ok: "201",
  },
  "createJoinCode for a guest": {
    access: [
      "membersChange",
      {
        why: "guests are brought by people",
        gets: {
          ownerAgent: on("403 human_token_required"),
          memberAgent: on("403 human_token_required"),
        },
      },
    ],
    of: "createJoinCode",
    request: withBody(() => ({ role: "member", guest: "owner" })),
    ok: "409 handle_taken",
  },
  "updateBoard, its policy": {
    access: [
      "membersChange",
      { why: ownersDecide, gets: notForMembers },
      {
        why: "the policy is no agent's to change",
        gets: {
          ownerAgent: on("403 human_token_required"),
          memberAgent: on("403 human_token_required"),
        },
      },
    ],
    of: "updateBoard",
    request: withBody(() => ({ policy: { preset: "starter" } })),
  },
  "addPerson, oneself": {
    access: ["addingOneself"],
    of: "addPerson",
    request: withBody(({ self }) => ({ handle: self })),
    ok: "201",
    spends: true,
  },
  "removePerson, oneself": {
    access: [
      "peopleOnBoard",
      { why: "a board keeps an owner", gets: { owner: on("409 last_owner") } },
    ],
    of: "removePerson",
    request: ({ board, self }) => ({ params: { board, handle: self } }),
    spends: true,
  },
  "setVisibility to open": {
    access: [
      "boardOwner",
      {
        why: "an archived board has to be restored before it is opened",
        gets: { owner: ["ok", "ok", "ok", "409 board_archived", gone, gone] },
      },
    ],
    of: "setVisibility",
    request: withBody(() => ({ visibility: "open", dry_run: true })),
  },
  "join by a code": {
    access: ["ownersCode"],
    of: "join",
    request: bodyAlone(({ code }) => ({ code, name: "writer" })),
    ok: "409 name_taken",
  },
  "archiveBoard by id": {
    access: ["housekeeping", adminsById],
    of: "archiveBoard",
    request: byId,
    spends: true,
  },
  "restoreBoard by id": {
    access: ["housekeeping", adminsById],
    of: "restoreBoard",
    request: byId,
    spends: true,
  },
  "deleteBoard by id": {
    access: [
      "housekeeping",
      agentsNever,
      onlyArchived,
      {
        ...adminsById,
        gets: {
          admin: ["409 board_not_archived", "409 board_not_archived", "ok", "ok", gone, gone],
          adminBrowser: [
            "409 board_not_archived",
            "409 board_not_archived",
            "ok",
            "ok",
            gone,
            gone,
          ],
        },
      },
    ],
    of: "deleteBoard",
    request: byId,
    spends: true,
  },
  "removeAgent by id": {
    access: ["endingSeats", adminsById],
    of: "removeAgent",
    request: ({ id, writer }) => ({ params: { board: id, member: writer } }),
    spends: true,
  },
};

/** Everything that is asked, by name: each operation, then the second forms. */
export const asked: Readonly<Record<string, Sample>> = Object.fromEntries([
  ...Object.entries(samples).map(([of, sample]) => [of, { ok: "200", ...sample, of }]),
  ...Object.entries(others).map(([name, sample]) => [name, { ok: "200", ...sample }]),
]);
/** How many of these are second forms. */
export const secondForms = Object.keys(others).length;

/** The request that succeeds at a place. */
export const wholeOf = (name: OperationName, at: Place): Request => {
  const { whole, request } = samples[name];
  // The matrix's request succeeds everywhere if it asks for nothing but a board or a message, which both have.
  return whole ? whole(at) : request(at as unknown as Target);
};
