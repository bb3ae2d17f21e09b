import type { AccessOf, Input, Output } from "../contract/operation.ts";
import type { OperationName, Operations } from "../contract/index.ts";
import type { ReadTx, Tx } from "../db/engine/database.ts";
import type { Standing } from "./access/standing.ts";
import type { Reply } from "./reply.ts";
import type { Rendered } from "./rendered-list.ts";
import type { Secrets } from "./secrets.ts";

/** What a one-time code stands for until it is used. */
export interface LoginCode {
  /** The key that asked for it, by row. */
  readonly keyRow: number;
  readonly expiresAt: string;
}

/** The one-time codes of a server, by digest, in memory alone: a restart voids them. */
export interface LoginCodes {
  add(digest: string, code: LoginCode, now: string): void;
  /** The code, if it is neither over nor used up by somebody else. */
  find(digest: string, now: string, taker?: object): LoginCode | null;
  /** Uses a code up. `taker` is the request: the one that took it finds it again, should its work have to run twice. */
  take(digest: string, taker: object): void;
}

/** What handlers may use beside the transaction: what differs between servers. */
export interface Tools {
  readonly secrets: Secrets;
  readonly loginCodes: LoginCodes;
  /** The server's own facts, fixed while it runs. */
  readonly server: {
    readonly id: string;
    readonly mode: "local" | "team";
    /** Where clients reach it, without a path. */
    readonly url: string;
    readonly version: string;
    readonly commit?: string;
    readonly commitTime?: string;
  };
}

/** What is known of who sends a request beside their credential. */
export interface Sender {
  /** The address at the connection's other end. */
  readonly address: string;
  /** Digest of the session that the browser's cookie holds, whether it works or not. */
  readonly browser: string | null;
}

/** What a rule knows about the bytes of an upload, which are on disk by then. */
export interface Received {
  /** Lowercase hex of their SHA-256. */
  readonly digest: string;
  readonly size: number;
  /** The kind of credential that they seem to contain; null when they contain none. */
  readonly secret: string | null;
}

/** Operations whose body is bytes. */
type Uploads = "putFile";
/** Operations whose board is gone when they are repeated. */
type EndsBoard = "deleteBoard";

type Reads = {
  [N in OperationName]: Operations[N]["method"] extends "GET" ? N : never;
}[OperationName];

/** One operation's rule. It runs inside its transaction, after its caller was admitted. */
export type Handler<N extends OperationName> = (
  tx: N extends Reads ? ReadTx : Tx,
  standing: Standing<AccessOf<Operations[N]>>,
  input: Input<Operations[N]> & (N extends Uploads ? { readonly bytes: Received } : {}),
  tools: Tools,
  sender: Sender,
) => Answer<N>;

/**
 * What an upload is refused for before its bytes are taken in; its rule refuses it again. `repeatable`: it has a key, so
 * that whatever depends on the query is refused where it is kept.
 */
export type BeforeBytes<N extends Uploads> = (
  tx: ReadTx,
  standing: Standing<AccessOf<Operations[N]>>,
  input: Input<Operations[N]>,
  repeatable: boolean,
) => void;

/** What a rule answers with. */
export type Answer<N extends OperationName> =
  Output<Operations[N]> | Rendered<Output<Operations[N]>> | Reply<Output<Operations[N]>>;

/** How an operation that can wait knows that there is nothing yet, and what may change that. */
export interface Wait<N extends OperationName> {
  isEmpty(answer: Exclude<Answer<N>, Reply<unknown>>): boolean;
  topics(standing: Standing<AccessOf<Operations[N]>>): readonly Topic[];
}

/** What a waiting request is woken by. */
export type Topic =
  | `board:${number}`
  | `member:${number}`
  | `thread:${number}`
  | `key:${number}`
  | `session:${number}`;

/** Checks a kept answer before it is given again. Throws the refusal that a new call would get. */
export type Recheck<N extends OperationName> = (
  tx: ReadTx,
  standing: Standing<N extends EndsBoard ? "caller" : AccessOf<Operations[N]>>,
  kept: Output<Operations[N]>,
  tools: Tools,
  input: Input<Operations[N]>,
) => void;

/** Checks a kept refusal, known by its code, before it is given again. */
export type RefusalRecheck<N extends OperationName> = (
  tx: ReadTx,
  standing: Standing<AccessOf<Operations[N]>>,
  input: Input<Operations[N]>,
  tools: Tools,
  code: string,
) => void;
