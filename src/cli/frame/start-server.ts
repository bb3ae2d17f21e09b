import type { Place } from "../../backup/place.ts";
import type { Network } from "../../contract/networks.ts";

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
  /** Proxies whose word about a client's address is taken. */
  readonly trustProxy?: readonly Network[];
  /** Folder with the programs that people may download. Absolute. */
  readonly downloads?: string;
  /** Offers figures to Prometheus: to whoever sends the token in a file, given absolute, or at a loopback address. */
  readonly metrics?:
    { readonly tokenFile: string } | { readonly hostname: string; readonly port: number };
  /** Multiplies every rate limit; 0 turns them off. */
  readonly rateScale?: number;
  /** The least level that is logged: by default `info` for a team's server, `warn` for a local one. */
  readonly logLevel?: "debug" | "info" | "warn" | "error";
  /** Whether another program, such as Litestream, may read the database meanwhile. */
  readonly shared?: boolean;
  /** Where backups go, how often one is made, and how many stay. */
  readonly backups?: {
    readonly everySeconds?: number;
    readonly to?: Place;
    readonly keep?: number;
  };
  /** The words that start this program. */
  readonly program?: readonly string[];
  readonly logForm?: "json" | "text";
  log(line: string): void;
}

export interface RunningServer {
  readonly url: string;
  readonly dataFolder: string;
  /** The first person if this start created them, else null. */
  readonly createdPerson: { readonly handle: string } | null;
  /** Who has the working keys of server admins at this start: a handle for each key. */
  readonly adminKeys: readonly string[];
  /** What is odd about this start: the newest event if the clock is behind it, and the public address of the start before if it was another. */
  readonly notices: { readonly clockBehind: string | null; readonly urlBefore: string | null };
  stop(): Promise<void>;
}

/** Starts a server in this process. Throws a known refusal as an Error with `code` and `hint`. */
export type StartServer = (options: StartServerOptions) => Promise<RunningServer>;

/** Options for making a key while no server runs. */
export interface RecoverKeyOptions {
  readonly mode: "local" | "team";
  /** Absolute. */
  readonly dataFolder: string;
  /** Where the key is written, with mode 0600. */
  readonly keyFile: string;
  /** The admin who gets the key; the first one if it is missing. */
  readonly handle?: string;
}

/** A key that was made while no server ran. Its secret is in the file alone. */
export interface RecoveredKey {
  readonly handle: string;
  readonly key: { readonly id: string; readonly name: string };
}

/** Makes a key for a server admin while no server runs. Throws a known refusal as an Error with `code` and `hint`. */
export type RecoverKey = (options: RecoverKeyOptions) => Promise<RecoveredKey>;
