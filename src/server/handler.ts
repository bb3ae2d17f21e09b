import type { AccessOf } from "../contract/operation.ts";
import type { OperationName, Operations, InputOf, OutputOf } from "../contract/index.ts";
import type { ReadTx, Tx } from "../db/engine/database.ts";
import type { Standing } from "./access/caller-standing.ts";
import type { RuleAnswer } from "./rule-answer.ts";
import type { MemberRow } from "../db/members.ts";
import type { ReceivedArchive } from "../board-archive/received-archive.ts";
import type { Rendered } from "./rendered-list.ts";
import type { Secrets } from "./secrets.ts";

/** A one-time sign-in code that is not used yet. */
export interface LoginCode {
  /** Row of the key that asked for it. */
  readonly keyRow: number;
  readonly expiresAt: string;
}

/** The one-time codes of a server, by digest. They are only in memory, so a restart voids them. */
export interface LoginCodes {
  add(digest: string, code: LoginCode, now: string): void;
  /** The code, if it has not ended and no other request has used it. */
  find(digest: string, now: string, taker?: object): LoginCode | null;
  /** Uses a code. `taker` is the request: it finds the code again if its transaction has to run twice. */
  take(digest: string, taker: object): void;
}

/** Names the states of the list of what needs each person, in memory. */
export interface AttentionVersions {
  /** The version of a state: the same as at the last call for the person if the state is, else one that was never given. */
  of(personRow: number, state: string): string;
}

/** An agent on its board. Rows of members are unique over all boards. */
export interface AgentOnBoard {
  readonly row: number;
  readonly boardRow: number;
}

/**
 * Counts the messages by which agents wake each other, in memory. A transaction that is undone takes its counts back. What
 * follows from the counts is recorded in the messages, so forgetting them wakes a few agents too many at worst.
 */
export interface LoopGuard {
  /** Whether an agent takes its messages by waiting for them: a request waits for its inbox now, or did so lately. */
  waits(memberRow: number, now: string): boolean;
  /** Notes that an agent asks for its messages with a wait, whether it has to wait or not. */
  asksToWait(memberRow: number, now: string): void;
  /**
   * Counts a message and the agents that it would wake. Returns the ones that it must not wake any more: all of them if the
   * sender is part of a ring.
   */
  weigh(
    tx: Tx,
    sender: AgentOnBoard,
    woken: readonly number[],
  ): { readonly damped: readonly number[]; readonly ring: boolean };
  /** Notes a message by a person: it is a sign of work for every agent of the board. */
  personWrote(tx: Tx, boardRow: number): void;
  /** Notes an ask by an agent, or an answer to one. */
  worked(tx: Tx, agent: AgentOnBoard): void;
}

/** A backup, or the run that makes one. */
export type BackupRun = OutputOf<"getBackup">;

/** The backups of a server. */
export interface Backups {
  /** Begins a backup once the transaction is committed. */
  start(tx: Tx, name?: string): BackupRun;
  /** Refuses a name that no backup and no run has. */
  get(name: string): BackupRun;
  list(): BackupRun[];
  /** Removes a backup once the transaction is committed, and returns what it was. */
  delete(tx: Tx, name: string): BackupRun;
  /** Ends the backup that runs. */
  stop(): Promise<void>;
}

/** The figures of a server. */
export interface Numbers {
  /** The figures as they are now, with the last counts of the tables. */
  now(): Omit<OutputOf<"getNumbers">, "at">;
  /**
   * Counts the tables in slices of 5 ms, if something was written since they were counted and that was a minute ago.
   * Resolves when the counts are new enough, or cannot be renewed.
   */
  count(): Promise<void>;
}

/** What handlers may use besides the transaction. */
export interface Tools {
  readonly numbers: Numbers;
  readonly backups: Backups;
  readonly attentionVersions: AttentionVersions;
  readonly secrets: Secrets;
  readonly loginCodes: LoginCodes;
  /** Null only in a measurement without it. */
  readonly loopGuard: LoopGuard | null;
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

/** Facts about the sender of a request, besides their credential. */
export interface Sender {
  /** The client's address. */
  readonly address: string;
  /** Digest of the session in the browser's cookie, whether it works or not. */
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
type Uploads = "putFile" | "importBoard";
/** What an upload is once it has arrived. */
type Arrived<N extends OperationName> = N extends "importBoard"
  ? { readonly archive: ReceivedArchive }
  : N extends Uploads
    ? { readonly bytes: Received }
    : {};
/** Operations whose board no longer exists when they are repeated. */
type EndsBoard = "deleteBoard";

type Reads = {
  [N in OperationName]: Operations[N]["method"] extends "GET" ? N : never;
}[OperationName];

/** One operation's rule. It runs inside its transaction, after its caller was admitted. */
export type Handler<N extends OperationName> = (
  tx: N extends Reads ? ReadTx : Tx,
  standing: Standing<AccessOf<Operations[N]>>,
  input: InputOf<N> & Arrived<N>,
  tools: Tools,
  sender: Sender,
) => Answer<N>;

/**
 * Refuses an upload before its bytes are read; its rule refuses it again. If it is `repeatable`, it has an idempotency
 * key, and refusals that depend on the query are left to the rule, whose refusals are kept.
 */
export type BeforeBytes<N extends "putFile"> = (
  tx: ReadTx,
  standing: Standing<AccessOf<Operations[N]>>,
  input: InputOf<N>,
  repeatable: boolean,
) => void;

/** The answer of a rule. */
export type Answer<N extends OperationName> =
  OutputOf<N> | Rendered<OutputOf<N>> | RuleAnswer<OutputOf<N>>;

/** For an operation that can wait: whether an answer is empty, and which topics may change that. */
export interface Wait<N extends OperationName> {
  isEmpty(answer: Exclude<Answer<N>, RuleAnswer<unknown>>, input: InputOf<N>): boolean;
  /** Whether the answer would be empty, for an operation that knows it without making the answer. False if it is not sure. */
  isIdle?(
    tx: ReadTx,
    standing: Standing<AccessOf<Operations[N]>>,
    input: InputOf<N>,
    tools: Tools,
  ): boolean;
  topics(standing: Standing<AccessOf<Operations[N]>>, tx: ReadTx): readonly Topic[];
  /** The next moment at which the answer may change by time alone; null if there is none. */
  changesAt?(standing: Standing<AccessOf<Operations[N]>>, tx: ReadTx): string | null;
  /** The agent who waits for messages by it, and reads as idle meanwhile. */
  waiter?(standing: Standing<AccessOf<Operations[N]>>): MemberRow;
}

/** Wakes the requests that wait for it. */
export type Topic =
  | `board:${number}`
  | `head:${number}`
  | `person:${number}`
  | `presence:${number}`
  | `inbox:${number}`
  | `member:${number}`
  | `thread:${number}`
  | `key:${number}`
  | `session:${number}`;

/** Checks a kept answer before a repeat gets it. Throws the refusal that a new call would get. */
export type Recheck<N extends OperationName> = (
  tx: ReadTx,
  standing: Standing<N extends EndsBoard ? "caller" : AccessOf<Operations[N]>>,
  kept: OutputOf<N>,
  tools: Tools,
  input: InputOf<N>,
) => void;

/** Checks a kept refusal before a repeat gets it. `code` is the refusal's code. */
export type RefusalRecheck<N extends OperationName> = (
  tx: ReadTx,
  standing: Standing<AccessOf<Operations[N]>>,
  input: InputOf<N>,
  tools: Tools,
  code: string,
) => void;
