import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Access, Field, Permission } from "./access.ts";
import type { ErrorName } from "./errors/index.ts";
import type { NextStep } from "./refusal.ts";

/**
 * The kinds of credential a request can present: a person's access key, a session that one of their browsers started
 * with it, an agent's token, a machine's delegation, and the credential of a session that is being paired.
 */
export type CredentialKind = "key" | "browser" | "agent" | "delegation" | "pairing";

/** The credentials that an operation takes, and the code that refuses each other kind. */
interface Callers {
  readonly accepts: readonly CredentialKind[];
  readonly refuses: Partial<Record<CredentialKind, ErrorName>>;
}
/** What refuses a delegation and a pairing credential in every operation that is not made for them. */
const delegation = { delegation: "not_for_delegations" } as const;
const pairing = { pairing: "not_for_pairings" } as const;
const bound = { ...delegation, ...pairing } as const;
export const callers = {
  /** No credential is needed. One that is sent must work, and must be neither a delegation nor a pairing credential. */
  anyone: { accepts: [], refuses: bound },
  /** People and agents. */
  members: { accepts: ["key", "browser", "agent"], refuses: bound },
  /** People, agents, and sessions that are being paired. */
  membersAndPairings: { accepts: ["key", "browser", "agent", "pairing"], refuses: delegation },
  /** People, with an access key or a browser session. */
  people: {
    accepts: ["key", "browser"],
    refuses: { agent: "human_token_required", ...bound },
  },
  /** People with an access key. A browser session is not enough. */
  keyHolders: {
    accepts: ["key"],
    refuses: {
      browser: "human_token_required",
      agent: "human_token_required",
      ...bound,
    },
  },
  agents: {
    accepts: ["agent"],
    refuses: {
      key: "agent_token_required",
      browser: "agent_token_required",
      ...bound,
    },
  },
  /** Whoever has a credential of their own, and machines that act for them. */
  all: { accepts: ["key", "browser", "agent", "delegation"], refuses: pairing },
  /** People with a key of their own, and machines that act for one. */
  keysAndDelegations: {
    accepts: ["key", "delegation"],
    refuses: { browser: "human_token_required", agent: "human_token_required", ...pairing },
  },
  /** Machines that act for a person. */
  delegations: {
    accepts: ["delegation"],
    refuses: {
      key: "delegation_required",
      browser: "delegation_required",
      agent: "delegation_required",
      ...pairing,
    },
  },
  /** Sessions that are being paired. */
  pairings: {
    accepts: ["pairing"],
    refuses: {
      key: "pairing_credential_required",
      browser: "pairing_credential_required",
      agent: "pairing_credential_required",
      ...delegation,
    },
  },
  browsers: {
    accepts: ["browser"],
    refuses: {
      key: "browser_session_required",
      agent: "browser_session_required",
      ...bound,
    },
  },
} as const satisfies Record<string, Callers>;

/**
 * What a repeat with the same Idempotency-Key gets.
 * - `kept`: the first answer, after the caller was admitted again
 * - `secret`: nothing is kept, each call is a new one, because the answer carries a secret
 * - `kept-for-caller`: as kept, though it carries a secret, because a lost answer would make a second resource
 */
type Replay = "kept" | "secret" | "kept-for-caller";

/** The limit that an operation's attempts count against. */
export type Bucket =
  "join" | "connect" | "posting" | "sign-in" | "machine-start" | "machine-code" | "machine-collect";

export type Tag =
  | "server"
  | "sign-in"
  | "people"
  | "boards"
  | "joining"
  | "messages"
  | "tasks"
  | "files"
  | "pairing"
  | "search"
  | "inbox"
  | "attention"
  | "events";

/**
 * How an operation departs from one transaction and one JSON answer.
 * - `stream`: server-sent events until the credential ends
 * - `wait`: answers at once, or when something arrives within `wait` seconds
 * - `indexed`: answers once the search index is up to date for the board in the path
 * - `upload`: its body is bytes, which are stored before the transaction that answers
 * - `download`: answers with bytes; the rule says which
 * - `archive`: answers with an archive of the board that the rule names, up to the event that it names
 */
export type Shape = "stream" | "wait" | "indexed" | "upload" | "download" | "archive";

/** One operation of the service, declared once. Everything about it that is not a rule is derived from this. */
export interface Operation<
  A extends Access = Access,
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with `:name` parameters. */
  readonly path: `/v1/${string}`;
  readonly tag: Tag;
  /** One line: what it does. */
  readonly summary: string;
  /** What a caller should know beyond the summary and the schemas. */
  readonly description?: string;
  /** Status of the answer, 200 by default. */
  readonly success?: 200 | 201 | 202;
  /** Other statuses of the answer. The description says when. */
  readonly otherSuccess?: 200 | 202;
  readonly access: A;
  /** Where the request names the board, pairing or agent that `access` is about, if not in the path. */
  readonly names?: Field;
  /** The side of a pairing that the caller must be on, or what names it. */
  readonly side?: "initiator" | "recipient" | Field;
  readonly callers: Callers;
  /**
   * What its `human_token_required` refusals carry: what the person runs instead. `{server}` stands for the server's
   * address and a parameter of the path in braces for its value; both are filled in, quoted for a shell.
   */
  readonly next?: NextStep;
  /** Whether guests and their agents may make it, on the boards that they are on. */
  readonly guests?: true;
  /** The permission that an agent's role must grant. */
  readonly permission?: Permission;
  /** Further permissions, each needed if a property of the body is true. */
  readonly permissionWith?: Readonly<Record<string, Permission>>;
  /** Properties of the body that only people may send. */
  readonly forPeople?: readonly string[];
  /** Whether a caller who is the path's `handle` only needs to be on the board, not to own it. */
  readonly orSelf?: true;
  /** Refuses an archived board, after the caller's role was checked. */
  readonly lifecycle?: "active";
  /** Every write must have it. No answers of reads are kept. */
  readonly replay?: Replay;
  /** Callers whose answers are not kept: a repeat of theirs makes no second resource. */
  readonly anewFor?: readonly CredentialKind[];
  /** Whether the call ends its own credential. A repeat with the same Idempotency-Key is still answered. */
  readonly replayAfterEnd?: true;
  /** Whether the call ends its own board. Then only a recheck decides who gets the kept answer. */
  readonly endsBoard?: true;
  readonly shape?: Shape;
  /** Whether a stream goes on after the event whose id is sent as `Last-Event-ID`. */
  readonly resumes?: true;
  /** Needs no credential, but an Origin that is sent must be the server's own, so other sites' pages are refused. */
  readonly ownOrigin?: true;
  /** The limit on attempts, if there is one. */
  readonly limit?: Bucket;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Whether the body may be left out. */
  readonly bodyOptional?: true;
  readonly response: R;
  /** Refusals of the rule itself, beyond those that access, callers and schemas imply. */
  readonly errors: readonly ErrorName[];
}

/** Declares an operation and keeps its exact types. */
export function operation<
  const A extends Access,
  P extends TObject = TObject<{}>,
  Q extends TObject = TObject<{}>,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
>(op: Operation<A, P, Q, B, R>): Operation<A, P, Q, B, R> {
  return op;
}

/** The input of a handler: path, query and body, typed by their schemas. */
export type Input<O> =
  O extends Operation<Access, infer P, infer Q, infer B, TSchema>
    ? { params: Static<P>; query: Static<Q> } & (unknown extends Static<B>
        ? {}
        : { body: Static<B> })
    : never;
export type Output<O> =
  O extends Operation<Access, TObject, TObject, TSchema, infer R> ? Static<R> : never;
export type AccessOf<O> = O extends Operation<infer A> ? A : never;

/** Whether an operation changes anything. No GET does. */
export const writes = (op: Operation): boolean => op.method !== "GET";

/** Whether an operation answers with bytes in place of JSON. */
export const answersBytes = ({ shape }: Pick<Operation, "shape">): boolean =>
  shape === "download" || shape === "archive";

/** Whether an operation takes or answers bytes in place of JSON. */
export const movesBytes = (op: Pick<Operation, "shape">): boolean =>
  op.shape === "upload" || answersBytes(op);
