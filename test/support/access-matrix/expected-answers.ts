/*
 * Who gets what, written by hand from the contract. Nothing here is read from the table of operations: a wrong entry there
 * shows as a cell that differs.
 */

/** The boards that every operation is asked about. An archived board is open unless it is said to be private. */
export const boards = [
  "open",
  "private",
  "archived",
  "archivedPrivate",
  "deleted",
  "missing",
] as const;
export type BoardKind = (typeof boards)[number];

/** Everything that a request can present itself with. */
export const credentials = [
  "none",
  // A header without a credential in it, of another form for each board.
  "malformed",
  // A credential of the right form that was never given out, of another kind for each board.
  "unknown",
  "revokedKey",
  "expiredKey",
  "agentOfRevokedKey",
  "agentOfExpiredKey",
  // The key of a person who was removed from the server, and the token of their agent.
  "removedPerson",
  "removedPersonsAgent",
  "removedAgent",
  "agentOfDeletedBoard",
  // A session that was ended, in the cookie and as a bearer token.
  "endedBrowser",
  "endedBrowserToken",
  // Ended in another way for each board.
  "endedDelegation",
  // Over or replaced, in another way for each board.
  "endedPairing",

  // People with a key. Owner, member and guest are on every board that there is; stranger and admin are on none.
  "owner",
  "member",
  "stranger",
  "guest",
  "admin",
  // Agents that sit on the board they ask about; about the deleted and the missing one they ask from a seat elsewhere.
  "ownerAgent",
  "memberAgent",
  "guestAgent",
  // The member's agents, each asking about a board that is not its own.
  "agentElsewhere",
  // A browser of a member of every board: a page's request as it should be, then with one thing missing, then by bearer.
  "browser",
  "browserWithoutOrigin",
  "browserWithoutCsrf",
  "browserToken",
  "adminBrowser",
  "guestBrowser",
  // A machine of a member of every board.
  "delegation",
  // The session with which the member answers the board's pairing request; of the open one where there is none.
  "pairing",
] as const;
export type Credential = (typeof credentials)[number];

/** Status and code, or `ok`: what the operation's sample comes to for whoever is admitted. */
export type Verdict = "ok" | `${number} ${string}`;
/** What a credential gets: the same everywhere, or for each of the boards in their order. */
export type Row = Verdict | readonly [Verdict, Verdict, Verdict, Verdict, Verdict, Verdict];
type Rows = Readonly<Record<Credential, Row>>;

export const gone = "404 board_not_found";
const unread = "404 message_not_found";
const unseen = "404 member_not_found";
export const unpaired = "404 pairing_not_found";

/** For who is on every board that there is. A deleted board and one that never was are told alike. */
export const on = (active: Verdict, archived = active, none: Verdict = gone): Row => [
  active,
  active,
  archived,
  archived,
  none,
  none,
];
/** For people who are on no board: they see the open ones, and the private ones are told like those that never were. */
export const off = (seen: Verdict, archived = seen): Row => [
  seen,
  gone,
  archived,
  gone,
  gone,
  gone,
];

/** Credentials that stopped working or never did. They get the same from everything they ask. */
const ended = {
  none: "401 unauthorized",
  malformed: "401 unauthorized",
  unknown: "401 unauthorized",
  revokedKey: "401 unauthorized",
  expiredKey: "401 unauthorized",
  agentOfRevokedKey: "401 unauthorized",
  agentOfExpiredKey: "401 unauthorized",
  removedPerson: "401 unauthorized",
  // The ended seat is looked at before the key behind it.
  removedPersonsAgent: "403 agent_removed",
  removedAgent: "403 agent_removed",
  agentOfDeletedBoard: "404 board_not_found",
  endedBrowser: "401 unauthorized",
  endedBrowserToken: "401 unauthorized",
  endedDelegation: "401 delegation_revoked",
  endedPairing: "401 unauthorized",
} as const satisfies Partial<Rows>;

/** These too get the same almost everywhere: a session that is being paired and a machine are for three operations each. */
const dead = {
  ...ended,
  pairing: "403 forbidden",
  delegation: "403 forbidden",
} as const satisfies Partial<Rows>;

/** The same for all people with a key who are members of the server. */
const serverMembers = (row: Row) => ({ owner: row, member: row, stranger: row, admin: row });
/** The same for everybody with a key. */
const keys = (row: Row) => ({ ...serverMembers(row), guest: row });
/** The same for everybody on the board but the member's browser, whose classes differ between reading and changing. */
const insiders = (row: Row) => ({
  ...ownerAndAgent(row),
  ...memberAndAgent(row),
  ...guests(row),
});
const ownerAndAgent = (row: Row) => ({ owner: row, ownerAgent: row });
const memberAndAgent = (row: Row) => ({ member: row, memberAgent: row });
/** The same for a guest by key and browser. */
const guestPeople = (row: Row) => ({ guest: row, guestBrowser: row });
/** The same for a guest and their agent. */
const guests = (row: Row) => ({ ...guestPeople(row), guestAgent: row });
/** The same for the people who are on no board. */
const outsiders = (row: Row) => ({ stranger: row, admin: row, adminBrowser: row });
/** The same for every agent. */
export const agents = (row: Row) => ({
  ownerAgent: row,
  memberAgent: row,
  guestAgent: row,
  agentElsewhere: row,
});
/** The same for every browser. */
export const browsers = (row: Row) => ({ ...reading(row), adminBrowser: row, guestBrowser: row });
/** What a browser's reading gets: it needs no Origin and no token. */
const reading = (row: Row) => ({
  browser: row,
  browserWithoutOrigin: row,
  browserWithoutCsrf: row,
  browserToken: row,
});
/** What a browser's change gets. Without Origin or token it is refused before the board is looked at. */
const changing = (row: Row) => ({
  browser: row,
  browserWithoutOrigin: "403 origin_not_allowed" as const,
  browserWithoutCsrf: "403 csrf_token_invalid" as const,
  browserToken: row,
});

/** The classes of access: what each credential gets from the operations of the class. */
export const classes = {
  /** No credential is needed; one that is sent must work. A cookie, which browsers send by themselves, is not read. */
  open: {
    ...dead,
    none: "ok",
    endedBrowser: "ok",
    ...keys("ok"),
    ...agents("ok"),
    ...browsers("ok"),
  },

  /** What everybody asks about themselves. */
  self: {
    ...dead,
    ...keys("ok"),
    ...agents("ok"),
    ...browsers("ok"),
  },

  /** What the server's members and their agents read of the server. */
  directory: {
    ...dead,
    ...serverMembers("ok"),
    ...guests("403 guest_not_allowed"),
    ownerAgent: "ok",
    memberAgent: "ok",
    agentElsewhere: "ok",
    ...reading("ok"),
    adminBrowser: "ok",
  },

  /** What people read, by key or browser. */
  peopleRead: {
    ...dead,
    ...serverMembers("ok"),
    ...guestPeople("403 guest_not_allowed"),
    ...agents("403 human_token_required"),
    ...reading("ok"),
    adminBrowser: "ok",
  },

  /** What people change, by key or browser, without naming a board. */
  peopleChange: {
    ...dead,
    ...serverMembers("ok"),
    ...guestPeople("403 guest_not_allowed"),
    ...agents("403 human_token_required"),
    ...changing("ok"),
    adminBrowser: "ok",
  },

  /** What a person does with a key of their own alone. */
  ownKey: {
    ...dead,
    ...serverMembers("ok"),
    guest: "403 guest_not_allowed",
    ...agents("403 human_token_required"),
    ...browsers("403 human_token_required"),
  },

  /** What a server admin does with a key of their own alone. */
  serverAdmin: {
    ...dead,
    owner: "403 server_admin_required",
    member: "403 server_admin_required",
    stranger: "403 server_admin_required",
    guest: "403 guest_not_allowed",
    admin: "ok",
    ...agents("403 human_token_required"),
    ...browsers("403 human_token_required"),
  },

  /** What a browser does about its own session. */
  ownSession: {
    ...dead,
    ...keys("403 browser_session_required"),
    ...agents("403 browser_session_required"),
    ...changing("ok"),
    adminBrowser: "ok",
    guestBrowser: "ok",
  },

  /** What an agent does about its own seat. An archived board keeps none of it from going on. */
  ownSeat: {
    ...dead,
    ...keys("403 agent_token_required"),
    ...agents("ok"),
    ...browsers("403 agent_token_required"),
  },

  /** What a machine's delegation does alone. */
  machine: {
    ...dead,
    ...keys("403 forbidden"),
    ...agents("403 forbidden"),
    ...browsers("403 forbidden"),
    delegation: "ok",
  },

  /** What whoever sees a board reads of it. */
  seeing: {
    ...dead,
    ...insiders(on("ok")),
    ...outsiders(off("ok")),
    agentElsewhere: gone,
    ...reading(on("ok")),
  },

  /** What whoever is on a board reads of it. */
  inside: {
    ...dead,
    ...insiders(on("ok")),
    ...outsiders(off("403 not_on_board")),
    agentElsewhere: gone,
    ...reading(on("ok")),
  },

  /** What whoever is on a message's board reads about it. For everybody else there is no such message. */
  message: {
    ...dead,
    ...insiders(on("ok", "ok", unread)),
    ...outsiders(unread),
    agentElsewhere: unread,
    ...reading(on("ok", "ok", unread)),
  },

  /** What whoever is on a message's board adds to it while the board is active. */
  reacting: {
    ...dead,
    ...insiders(on("ok", "409 board_archived", unread)),
    ...outsiders(unread),
    agentElsewhere: unread,
    ...changing(on("ok", "409 board_archived", unread)),
  },

  /** What whoever is on a board says on it while it is active. */
  talking: {
    ...dead,
    ...insiders(on("ok", "409 board_archived")),
    ...outsiders(off("403 not_on_board")),
    agentElsewhere: gone,
    ...changing(on("ok", "409 board_archived")),
  },

  /** What whoever is on a board keeps for themselves about it, archived or not. */
  bookkeeping: {
    ...dead,
    ...insiders(on("ok")),
    ...outsiders(off("403 not_on_board")),
    agentElsewhere: gone,
    ...changing(on("ok")),
  },

  /** What members of the server who are on a board, and their agents, change about it while it is active. */
  membersChange: {
    ...dead,
    ...ownerAndAgent(on("ok", "409 board_archived")),
    ...memberAndAgent(on("ok", "409 board_archived")),
    ...outsiders(off("403 not_on_board")),
    ...guests(on("403 guest_not_allowed")),
    agentElsewhere: gone,
    ...changing(on("ok", "409 board_archived")),
  },

  /** What people on a board do for themselves, archived or not. */
  peopleOnBoard: {
    ...dead,
    owner: on("ok"),
    member: on("ok"),
    ...outsiders(off("403 not_on_board")),
    ...guestPeople(on("403 guest_not_allowed")),
    ...agents("403 human_token_required"),
    ...changing(on("ok")),
  },

  /** What a board's owners do, archived or not. */
  boardOwner: {
    ...dead,
    owner: on("ok"),
    member: on("403 owner_required"),
    ...outsiders(off("403 not_on_board")),
    ...guestPeople(on("403 guest_not_allowed")),
    ...agents("403 human_token_required"),
    ...changing(on("403 owner_required")),
  },

  /** What a board's creator, their agent there and the server's admins do about its life. */
  housekeeping: {
    ...dead,
    ...ownerAndAgent(on("ok")),
    ...memberAndAgent(on("403 board_creator_required")),
    stranger: off("403 not_on_board"),
    ...guests(on("403 guest_not_allowed")),
    // By its name a private board that they are not on is hidden from them too.
    admin: off("ok"),
    agentElsewhere: gone,
    ...changing(on("403 board_creator_required")),
    adminBrowser: off("ok"),
  },

  /** Setting something for the owner's agent, by its id. An agent of a board that they are not on, nobody sees. */
  settingForAgent: {
    ...dead,
    owner: on("ok", "ok", unseen),
    member: on("403 agent_owner_required", "403 agent_owner_required", unseen),
    ...outsiders(unseen),
    ...guestPeople("403 guest_not_allowed"),
    ...agents("403 human_token_required"),
    ...changing(on("403 agent_owner_required", "403 agent_owner_required", unseen)),
  },

  /** Ending the seat of the owner's agent: for its person, an owner of the board, and the server's admins. */
  endingSeats: {
    ...dead,
    owner: on("ok"),
    member: on("403 owner_required"),
    stranger: off("403 not_on_board"),
    ...guestPeople(on("403 guest_not_allowed")),
    admin: off("ok"),
    ...agents("403 human_token_required"),
    ...changing(on("403 owner_required")),
    adminBrowser: off("ok"),
  },

  /** A seat for a session on a board that its person is on, or that a machine's person sees. */
  seating: {
    ...dead,
    owner: on("ok", "409 board_archived"),
    member: on("ok", "409 board_archived"),
    stranger: off("403 not_on_board"),
    guest: on("403 guest_not_allowed"),
    admin: off("403 not_on_board"),
    ...agents("403 human_token_required"),
    ...browsers("403 human_token_required"),
    delegation: on("ok", "409 board_archived"),
  },

  /** A seat by a code that the owner made for their own sessions. It ends with its board. */
  ownersCode: {
    ...dead,
    owner: on("ok", "409 board_archived", "404 join_code_invalid"),
    member: on("403 join_code_not_yours", "403 join_code_not_yours", "404 join_code_invalid"),
    stranger: on("403 join_code_not_yours", "403 join_code_not_yours", "404 join_code_invalid"),
    guest: on("403 join_code_not_yours", "403 join_code_not_yours", "404 join_code_invalid"),
    admin: on("403 join_code_not_yours", "403 join_code_not_yours", "404 join_code_invalid"),
    ...agents("403 human_token_required"),
    ...browsers("403 human_token_required"),
  },

  /** Adding oneself, which is joining an open board; an agent's self is its person. */
  addingOneself: {
    ...dead,
    ...ownerAndAgent(on("409 already_on_board")),
    ...memberAndAgent(on("409 already_on_board")),
    ...outsiders(off("ok", "409 board_archived")),
    ...guests(on("403 guest_not_allowed")),
    agentElsewhere: gone,
    ...changing(on("409 already_on_board")),
  },

  /** What the parties of the board's pairing request read: the owner and their agent, who ask, and the member, whose agent answers. */
  pairingParties: {
    ...dead,
    ...ownerAndAgent(on("ok", "ok", unpaired)),
    ...memberAndAgent(on("ok", "ok", unpaired)),
    ...outsiders(unpaired),
    ...guests("403 guest_not_allowed"),
    agentElsewhere: unpaired,
    ...reading(unpaired),
    pairing: on("ok", "ok", unpaired),
  },

  /** What the person who is asked does about a pairing request, archived board or not. */
  pairingRecipient: {
    ...dead,
    owner: on("403 forbidden", "403 forbidden", unpaired),
    member: on("ok", "ok", unpaired),
    ...outsiders(unpaired),
    ...guestPeople("403 guest_not_allowed"),
    ...agents("403 human_token_required"),
    ...changing(unpaired),
  },

  /** What the session does alone that answers a pairing request. */
  pairingSession: {
    ...dead,
    ...keys("403 forbidden"),
    ...agents("403 forbidden"),
    ...browsers("403 forbidden"),
    pairing: on("ok", "409 board_archived", unpaired),
  },

  /** Asking for a pairing on behalf of the owner's agent, on a board named by its id. */
  pairingForWriter: {
    ...dead,
    ...ownerAndAgent(on("ok", "409 board_archived")),
    ...memberAndAgent(on("403 agent_owner_required")),
    ...outsiders(off("403 not_on_board")),
    ...guests("403 guest_not_allowed"),
    agentElsewhere: gone,
    ...changing(on("403 agent_owner_required")),
  },
} as const satisfies Record<string, Rows>;
export type ClassName = keyof typeof classes;

/** Where an operation departs from its class, and why. */
export interface Exception {
  readonly why: string;
  readonly gets: Partial<Rows>;
}
/** An operation's class, and its exceptions. */
export type Access = readonly [ClassName, ...Exception[]];
