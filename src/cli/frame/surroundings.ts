import type { Env, Person } from "../../client/machine/machine.ts";

/** Everything that a run of the program takes from its process. The command line takes it from nowhere else. */
export interface Surroundings {
  readonly env: Env;
  /** The working folder. Absolute. */
  readonly cwd: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly clock: Clock;
  readonly system: System;
}

/** Standard input. */
export interface Input {
  isTerminal(): boolean;
  /** What is piped in, piece by piece. It may have no end. */
  stream(): AsyncIterable<Uint8Array>;
  /** Asks for a line at the terminal. Null at the end of the input. */
  ask(question: string, fallback?: string): string | null;
  /** Asks for a line at the terminal without showing it. Null when it is interrupted. */
  askSecret(question: string): Promise<string | null>;
}

/** Standard output, or standard error. */
export interface Output {
  isTerminal(): boolean;
  /** Writes everything, and waits for a slow reader. False when the reader has gone away. */
  write(text: string | Uint8Array): Promise<boolean>;
  /** Whether the reader has gone away, as far as that is known before something is written. */
  isLeft(): Promise<boolean>;
  /** Writes at once, or drops the text if the reader has gone away or is not ready. */
  writeNow(text: string): void;
  /** Writes when the reader is ready, without making the caller wait. Text that cannot be written, as on a full disk, is lost. */
  writeLater(text: string): void;
  /** Resolves when all of that was written, or after two seconds. */
  written(): Promise<void>;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that have passed. Nobody can set it, so every wait ends by it. */
  elapsed(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Calls `act` after so many milliseconds. The function that it returns cancels that. */
  after(milliseconds: number, act: () => void): () => void;
  /** A signal that aborts with a `TimeoutError` after so many milliseconds. */
  timeout(milliseconds: number): AbortSignal;
}

export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The process that the program runs in, and access to other processes of this machine. */
export interface System extends Person {
  readonly platform: string;
  readonly pid: number;
  /** The process that started this one. */
  readonly parent: number;
  /** When this process started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Path of the executable that runs this. */
  readonly executable: string;
  temporaryFolder(): string;
  /** Whether this process may open sockets. In a sandbox that blocks the network it may not. */
  opensSockets(): boolean;
  /** The bytes of the arguments of this process, or null where the system does not show them. */
  commandLine(): Uint8Array | null;
  /** The permission bits that new files do not get. */
  umask(): number;
  setUmask(mask: number): void;
  /** Starts a process that outlives this one and appends its output to the log. */
  start(command: readonly string[], options: StartOptions): Child;
  /** Starts a program that this run talks to. Null when there is no such program. */
  converse(command: readonly string[], options: Pick<StartOptions, "cwd" | "env">): Talk | null;
  /**
   * Starts a program that goes on by itself, such as a browser. False when it fails within two seconds, null when there is
   * no such program.
   */
  hand(
    command: readonly string[],
    options: Pick<StartOptions, "cwd" | "env">,
  ): Promise<boolean | null>;
  /** Sends a signal to a process. */
  kill(pid: number, signal: Signal): void;
  isAlive(pid: number): boolean;
  /** Calls `act` at the first such signal to this process. The function that it returns removes the handler. */
  onSignal(signal: Signal, act: () => void): () => void;
  /** Ends the run at once. */
  exit(code: number): never;
}

export interface StartOptions {
  readonly cwd: string;
  readonly env: Env;
  /** Path of the log, which only its owner can read. */
  readonly log: string;
}

/** A program that this run talks to over its standard input and output. What it says on standard error is dropped. */
export interface Talk {
  say(text: string): void;
  /** Nothing more is said. */
  endInput(): void;
  readonly output: AsyncIterable<Uint8Array>;
  /** Its exit code, once it has ended. A signal counts as 1. */
  readonly exited: Promise<number>;
  /** Kills it at once. */
  end(): void;
}

/** A process that was started. */
export interface Child {
  readonly pid: number;
  /** Null while it runs. */
  readonly exitCode: number | null;
  /** Kills it at once. */
  end(): void;
}
