import type { RunCache } from "./run-cache.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** The three base folders of this person's machine. */
export interface Folders {
  readonly config: string;
  readonly data: string;
  readonly state: string;
}

/** The machine and the person that a run of the program works for. */
export interface Machine {
  readonly env: Env;
  readonly folders: Folders;
  readonly learned: RunCache;
  readonly clock: {
    /** Milliseconds since 1970. */
    now(): number;
  };
  readonly system: Person;
  /** Tells the person about a problem that does not stop the command. */
  note(line: string): void;
}

/** What the operating system knows about the person. */
export interface Person {
  /** Undefined on systems where users have no numbers. */
  readonly userId: number | undefined;
  homeFolder(): string;
}
