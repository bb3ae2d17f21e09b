import type { BuildInfo } from "../build-info.ts";

import type { OutputOf } from "../../contract/index.ts";
import type { DeliveryMode } from "../../contract/waking.ts";
import type { Details } from "../../contract/refusal.ts";

/** The version of the daemon's protocol. */
export const daemonProtocol = 1;
/** The longest line of the protocol in bytes, its line feed included. */
export const longestDaemonLine = 128 * 1024;

/** An agent's seat as hooks and commands name it. It never has a token. */
export interface DaemonAgent {
  /** `local`, or the server's address. */
  readonly server: string;
  readonly board: string;
  readonly name: string;
  readonly member_id: string;
}

/** A seat of a session with what the daemon knows of it. What it does not know yet is left out. */
export interface DaemonSeat extends DaemonAgent {
  readonly mode?: DeliveryMode;
  readonly unread?: number;
}

type Joined = OutputOf<"join">;
type Listed = OutputOf<"listBoards">["boards"][number];

/** A process with its start time, so that a reused number is not mistaken for it. */
export interface DaemonProcess {
  readonly pid: number;
  readonly start: string;
}

/** The operations of the daemon. */
export type DaemonOp =
  | "status"
  | "register"
  | "bind"
  | "agents"
  | "boards"
  | "join"
  | "create_board"
  | "mode"
  | "plan"
  | "pairing"
  | "hold"
  | "inbox"
  | "claim"
  | "prompt"
  | "turn_start"
  | "turn_end"
  | "boundary"
  | "wait"
  | "received"
  | "end"
  /** Opens the connection of an extension: `extension-wire.ts` has its lines. */
  | "hello"
  | "stop";

/** One request to the daemon. An operation reads only the fields that it needs. */
export interface DaemonRequest {
  readonly op: DaemonOp;
  /** The harness's name, such as `claude-code`. */
  readonly harness?: string;
  /** The harness's own id of the session. On `agents` it may be left out: then `process` names the session that it runs. */
  readonly session?: string;
  readonly boot?: string;
  readonly source?: "startup" | "resume" | "clear" | "compact";
  readonly process?: DaemonProcess;
  readonly cwd?: string;
  /** On `bind` a saved seat. On `join` its server and board, and the name that the new agent is to have or the empty text. */
  readonly agent?: Partial<DaemonAgent>;
  /** Set in a subagent, which never gets a seat. */
  readonly subagent?: string;
  /** On `boards` and `create_board`: `local`, or a server's address. On `boards` it may be left out where the session's seats are on one server. */
  readonly server?: string;
  /** On `boards`: which boards. */
  readonly lifecycle?: "active" | "archived" | "all";
  /** On `boards`: the `next` of the page before. */
  readonly after?: string;
  /** On `join` and `create_board`: the new agent's role. */
  readonly role?: string;
  /** On `mode`: what the server holds now, and the number of the event that set it. */
  readonly mode?: DeliveryMode;
  readonly revision?: number;
  /** On `hold`: the number of the message whose replies the command waits for. */
  readonly reply_to?: number;
  /** On `claim`: the numbers of the messages that the command shows. */
  readonly seqs?: readonly number[];
  /** On `pairing`: what to do with which request, and whether another session may be replaced. */
  readonly pairing_action?: "list" | "get" | "select" | "accept";
  readonly pairing_id?: string;
  readonly replace?: boolean;
  /** On `plan`: what the agent's own list of work says that it does now. The empty text says nothing. */
  readonly plan?: { readonly text: string; readonly done: number; readonly total: number };
  /** On `create_board`: the board's properties, as the server's operation takes them. */
  readonly create?: object;
  /** On `create_board`: the name that the agent is to have. */
  readonly agent_name?: string;
  /** On `create_board`: 1 to 128 characters, one key for each board that is wanted. */
  readonly idempotency_key?: string;
  /** The folder of the harness's settings that the session runs with. Left out, it is the usual one. */
  readonly config_dir?: string;
  /** On `wait`: the daemon went away while the hook waited, and this one was asked in its place. */
  readonly resumed?: boolean;
  /** When the hook's process started, as an RFC 3339 time. What was handed later is not confirmed by this request. */
  readonly started?: string;
  /** The harness's own id of the turn, such as Claude Code's `prompt_id`. Only this confirms what was handed. */
  readonly harness_turn?: string;
  /** The handoff that the prompt holds: this turn is the one that the daemon woke the session for. */
  readonly handoff_id?: string;
  /** On `boundary`: before a tool runs, or after a batch of tools. Left out, it counts as after. */
  readonly at?: "before_tool" | "after_tools";
  /** On `turn_end`: the turn ended without an answer, such as by an API error. It confirms nothing and hands nothing. */
  readonly failed?: boolean;
  /** On `register`: a turn runs already. */
  readonly busy?: boolean;
  /**
   * On `turn_start`, `boundary` and `turn_end`: once the hook has printed the messages of the answer it says `received` on the
   * same connection. If that ends before, nobody has them. Left out, they count as printed when the answer has left.
   */
  readonly says_received?: boolean;
  /** On `turn_end`: the hook can add a bundle to the turn that ends. Left out, nothing is handed by it. */
  readonly takes_bundle?: boolean;
}

/** Messages whose delivery does not get on. */
export interface Trouble {
  readonly agent: DaemonAgent;
  readonly seqs: readonly number[];
  /** What the person can look for. */
  readonly reason: string;
}

/** What the daemon says about itself. */
export interface DaemonStatus {
  readonly pid: number;
  readonly build: BuildInfo;
  readonly open_sessions: number;
  readonly multi_seat: boolean;
  readonly servers: readonly { readonly url: string; readonly connected: boolean }[];
  /**
   * Agents that get nothing: their server gives nothing more (`unauthorized`, `board_gone`) or does not answer
   * (`server_unreachable`), it holds a mode that this build does not know (`delivery_mode_unknown`), or the journal takes nothing
   * (`handoff_failed`).
   */
  readonly agents: readonly { readonly agent: DaemonAgent; readonly reason: string }[];
  /** Given up after five failures of the harness in a row, until the session shows itself again. */
  readonly attention: readonly Trouble[];
  /**
   * Handed to an idle session that began no turn in ten seconds (`no_turn_started`), or that its person stopped and that goes
   * on with their next prompt (`paused`), or that waits for a session which no terminal shows (`no_terminal`).
   */
  readonly stalled: readonly Trouble[];
  readonly bindings: readonly {
    readonly agent: DaemonAgent;
    /** `<harness>:<id>` */
    readonly session: string;
    readonly open: boolean;
    readonly turned: boolean;
    /** The delivery mode that the server said last, and the number of the event that set it. */
    readonly mode?: DeliveryMode;
    readonly revision?: number;
  }[];
}

/** One answer of the daemon. An operation fills only the fields that belong to it. */
export interface DaemonAnswer {
  readonly v: number;
  /** On the connection of `wait`: first `waiting`, then `deliver` or `release`. */
  readonly event?: "waiting" | "deliver" | "release";
  readonly boot?: string;
  readonly agents?: readonly DaemonAgent[];
  readonly seats?: readonly DaemonSeat[];
  /** On `agents`: the session as `<harness>:<id>`, also where only its process was named. */
  readonly session?: string;
  /** The seat of the same board that the session held before. */
  readonly previous?: DaemonAgent;
  /** On `join` and `create_board`: the seat that the session holds now, and what the server says of it. */
  readonly joined?: DaemonAgent;
  /** On `hold` and `inbox`: whether an open session of this machine holds the seat. */
  readonly held?: boolean;
  /** On `inbox`: messages that the session has received and the server still counts as unread. */
  readonly received?: readonly number[];
  /** On `claim`: the messages that count as received from now on. What was handed before is not among them. */
  readonly claimed?: readonly number[];
  /** On `pairing`: the request, or those of the session's person; and the name of its board. */
  readonly pairing?: OutputOf<"getPairingRequest">;
  readonly pairings?: OutputOf<"listPairingRequests">["requests"];
  readonly pairing_board?: string;
  /** On `pairing` with `list`: the id of the session's person. */
  readonly person?: string;
  /** On `mode`: the mode that applies, and whether it is another one now. On `register`: that of the session's only seat, if it is known. */
  readonly mode?: DeliveryMode;
  readonly changed?: boolean;
  /** On `join`: the session had this seat before. */
  readonly reused?: boolean;
  readonly board?: Joined["board"];
  readonly member?: Joined["agent"];
  /** On `boards`: one page, each board with the session's seat there. */
  readonly boards?: readonly (Listed & { readonly seat?: DaemonAgent })[];
  /** On `boards`: what `after` is for the next page, or null. */
  readonly next?: string | null;
  /** On `boards`: the server that was asked. */
  readonly server?: string;
  readonly lost?: DaemonAgent;
  readonly reopened?: boolean;
  /** Text for the session's context at its start. */
  readonly note?: string;
  /** Messages for the session's context. They begin with the line that names the handoff. */
  readonly bundle?: string;
  readonly handoff_id?: string;
  readonly notice?: string;
  readonly nudge?: string;
  readonly status?: DaemonStatus;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly details?: Details;
  };
}

/** The id of the handoff that a text holds, or null. */
export const handoffIn = (text: string): string | null =>
  /\bhnd_[\da-f]{32}\b/.exec(text)?.[0] ?? null;

const decoder = new TextDecoder();

/** Splits what arrives on a connection into lines. Throws `LineTooLong` before it keeps more than one line may have. */
export function lineReader(): (bytes: Uint8Array) => string[] {
  let kept = new Uint8Array(0);
  return (bytes) => {
    const lines: string[] = [];
    let rest = kept.length === 0 ? bytes : joined(kept, bytes);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      if (end >= longestDaemonLine) throw new LineTooLong();
      lines.push(decoder.decode(rest.subarray(0, end)));
      rest = rest.subarray(end + 1);
    }
    if (rest.length >= longestDaemonLine) throw new LineTooLong();
    kept = rest.slice();
    return lines;
  };
}

/** A line of the protocol is longer than it may be. */
export class LineTooLong extends Error {
  override readonly name = "LineTooLong";
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
