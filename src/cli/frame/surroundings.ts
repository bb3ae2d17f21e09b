import type { Env, Person } from "../../client/machine/machine.ts";

/** What a run of the program is given from outside. Nothing in this folder takes it from anywhere else. */
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
  /** All that is piped in. */
  bytes(): Promise<Uint8Array>;
  /** What is piped in, piece by piece. */
  stream(): AsyncIterable<Uint8Array>;
  /** Asks for a line at the terminal. Null when there is none. */
  ask(question: string, fallback?: string): string | null;
  /** Asks for a line at the terminal that is not shown. Null when it is interrupted. */
  askSecret(question: string): Promise<string | null>;
}

/** Standard output, or standard error. */
export interface Output {
  isTerminal(): boolean;
  /** Writes in full, also where the reader is slow. False when the reader has gone away. */
  write(text: string | Uint8Array): Promise<boolean>;
  /** Writes at once, or not at all where the reader has gone away or takes nothing now. */
  writeNow(text: string): void;
  /** Writes as soon as the reader takes it, and keeps nobody waiting. What cannot be written, as on a full disk, is lost. */
  writeLater(text: string): void;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Acts after so much time, unless the function that it gives is called before. */
  after(milliseconds: number, act: () => void): () => void;
  /** Aborts, with a `TimeoutError`, when so much time is over. */
  timeout(milliseconds: number): AbortSignal;
}

export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The process that the program runs in, and the others of this machine. */
export interface System extends Person {
  readonly pid: number;
  /** Path of the executable that runs this. */
  readonly executable: string;
  temporaryFolder(): string;
  /** The bytes of the arguments that this process was started with, or null where they cannot be known. */
  commandLine(): Uint8Array | null;
  /** The permissions that new files are not given. */
  umask(): number;
  setUmask(mask: number): void;
  /** Starts a process that outlives this one. Its output is added to the log. */
  start(command: readonly string[], options: StartOptions): Child;
  /** Sends a signal to a process. */
  kill(pid: number, signal: Signal): void;
  isAlive(pid: number): boolean;
  /** Acts when this process gets a signal for the first time, until the function that it gives is called. */
  onSignal(signal: Signal, act: () => void): () => void;
  /** Ends the run at once. */
  exit(code: number): never;
}

/** How a process is started. */
export interface StartOptions {
  readonly cwd: string;
  readonly env: Env;
  /** The file that its output is added to, which only its owner can read. */
  readonly log: string;
}

/** A process that was started. */
export interface Child {
  readonly pid: number;
  /** Null while it runs. */
  readonly exitCode: number | null;
  /** Ends it at once. */
  end(): void;
}
