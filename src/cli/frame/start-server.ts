/** Options for starting a server in this process. */
export interface StartServerOptions {
  readonly mode: "local" | "team";
  /** Absolute. */
  readonly dataFolder: string;
  readonly hostname: string;
  readonly port: number;
  /** The address that people use, in team mode. */
  readonly publicUrl?: string;
  /** Where the first person's key is written, with mode 0600, when the server starts for the first time. */
  readonly keyFile: string;
  readonly firstHandle: string;
  readonly keyName: string;
  readonly version: string;
  readonly commit?: string;
  readonly commitTime?: string;
  /** Multiplies every rate limit; 0 turns them off. */
  readonly rateScale?: number;
  log(line: string): void;
}

export interface RunningServer {
  readonly url: string;
  readonly dataFolder: string;
  /** The first person if this start created them, else null. */
  readonly createdPerson: { readonly handle: string } | null;
  stop(): Promise<void>;
}

/** Starts a server in this process. Throws a known refusal as an Error with `code` and `hint`. */
export type StartServer = (options: StartServerOptions) => Promise<RunningServer>;
