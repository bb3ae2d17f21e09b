import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Access, Field, Permission } from "./access.ts";
import type { ErrorName } from "./errors/index.ts";
import type { NextStep } from "./refusal.ts";

/**
 * The kinds of credential a request can present: a person's access key, a session that one of their browsers started
 * with it, an agent's token, a machine's delegation, and the credential of a session that is being paired.
 */
export type CredentialKind = "key" | "browser" | "agent" | "delegation" | "pairing";

/** Which credentials an operation takes, and the code that refuses each other kind. */
interface Callers {
  readonly accepts: readonly CredentialKind[];
  readonly refuses: Partial<Record<CredentialKind, ErrorName>>;
}
/** Whatever an operation takes, a delegation is for its own three alone, and a pairing's credential for its own. */
const delegation = { delegation: "not_for_delegations" } as const;
const pairing = { pairing: "not_for_pairings" } as const;
const bound = { ...delegation, ...pairing } as const;
export const callers = {
  /** None is needed; one that is sent must work, and be neither a delegation nor a pairing's credential. */
  anyone: { accepts: [], refuses: bound },
  /** People and agents. */
  members: { accepts: ["key", "browser", "agent"], refuses: bound },
  /** The same, and sessions that are being paired. */
  membersAndPairings: { accepts: ["key", "browser", "agent", "pairing"], refuses: delegation },
  /** People, by whatever stands for them. */
  people: {
    accepts: ["key", "browser"],
    refuses: { agent: "human_token_required", ...bound },
  },
  /** People with a key of their own: a browser is not enough. */
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

/** What attempts are counted together against a limit. */
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
  | "events";

/**
 * How an operation departs from one transaction and one JSON answer.
 * - `stream`: server-sent events until the credential ends
 * - `wait`: answers at once, or when something arrives within `wait` seconds
 * - `indexed`: answers once the search index has come after the log of the board in the path
 * - `upload`: its body is bytes, which are taken in before the transaction that answers
 * - `download`: answers with bytes, of which the rule says what they are
 */
export type Shape = "stream" | "wait" | "indexed" | "upload" | "download";

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
  /** Status of the answer: 200 unless said. */
  readonly success?: 200 | 201;
  /** Other statuses that it answers with, in a case that its description names. */
  readonly otherSuccess?: 200 | 202;
  readonly access: A;
  /** What names the board, pairing or agent that `access` is about, unless it is the parameter of the path for it. */
  readonly names?: Field;
  /** The side of a pairing that the caller must be on, or what names it. */
  readonly side?: "initiator" | "recipient" | Field;
  readonly callers: Callers;
  /**
   * What its `human_token_required` refusals carry: what the person runs instead. `{server}` stands for the server's
   * address and a parameter of the path in braces for its value; both are filled in, quoted for a shell.
   */
  readonly next?: NextStep;
  /** Guests and their agents may make it, on the boards that they are on. Nothing else is theirs. */
  readonly guests?: true;
  /** What an agent's role must grant. */
  readonly permission?: Permission;
  /** What it must grant besides, if a property of the body is true. */
  readonly permissionWith?: Readonly<Record<string, Permission>>;
  /** Properties of the body that only people may send. */
  readonly forPeople?: readonly string[];
  /** Whoever names themselves as the path's `handle` needs to be on the board and to own nothing. */
  readonly orSelf?: true;
  /** Refuses an archived board, after everything that is said here of the caller's role. */
  readonly lifecycle?: "active";
  /** Writes must say; reads keep nothing. */
  readonly replay?: Replay;
  /** Callers for whom nothing is kept although it is for others: a repeat of theirs makes no second resource. */
  readonly anewFor?: readonly CredentialKind[];
  /** The call ends its own credential: a repeat with the same Idempotency-Key is still answered. */
  readonly replayAfterEnd?: true;
  /** The call ends its own board: a recheck alone decides who gets its answer again. */
  readonly endsBoard?: true;
  readonly shape?: Shape;
  /** Needs no credential, and is refused to the pages of other sites: an Origin that is sent must be the server's own. */
  readonly ownOrigin?: true;
  /** Attempts are limited. */
  readonly limit?: Bucket;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The body may be left out. */
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

/** What a handler is given: path, query and body as their schemas type them. */
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
