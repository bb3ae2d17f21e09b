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
  | "prompt"
  | "turn_start"
  | "turn_end"
  | "boundary"
  | "wait"
  | "end"
  | "stop";

/** One request to the daemon. An operation reads only the fields that it needs. */
export interface DaemonRequest {
  readonly op: DaemonOp;
  /** The harness's name, such as `claude-code`. */
  readonly harness?: string;
  /** The harness's own id of the session. */
  readonly session?: string;
  readonly boot?: string;
  readonly source?: "startup" | "resume" | "clear" | "compact";
  readonly process?: DaemonProcess;
  readonly cwd?: string;
  readonly agent?: DaemonAgent;
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
  /** On `turn_end`: the hook can add a bundle to the turn that ends. Left out, nothing is handed by it. */
  readonly takes_bundle?: boolean;
}

/** What the daemon says about itself. */
export interface DaemonStatus {
  readonly pid: number;
  readonly build: { readonly version: string; readonly commit?: string };
  readonly open_sessions: number;
  readonly multi_seat: boolean;
  readonly servers: readonly { readonly url: string; readonly connected: boolean }[];
  readonly agents: readonly { readonly agent: DaemonAgent; readonly reason: string }[];
  readonly bindings: readonly {
    readonly agent: DaemonAgent;
    /** `<harness>:<id>` */
    readonly session: string;
    readonly open: boolean;
    readonly turned: boolean;
  }[];
}

/** One answer of the daemon. An operation fills only the fields that belong to it. */
export interface DaemonAnswer {
  readonly v: number;
  /** On the connection of `wait`: first `waiting`, then `deliver` or `release`. */
  readonly event?: "waiting" | "deliver" | "release";
  readonly boot?: string;
  readonly agents?: readonly DaemonAgent[];
  readonly previous?: DaemonAgent;
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
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
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
