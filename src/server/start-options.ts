import type { Network } from "../contract/networks.ts";
import type { Db, DatabaseOptions } from "../db/engine/database.ts";
import type { BackupSettings } from "./backup/server-backups.ts";
import type { MetricsAddress } from "./http/metrics.ts";
import type { LogForm, LogLevel } from "./log.ts";
import type { StartNotices } from "./start-notices.ts";

/** The settings of a server. */
export interface StartOptions {
  readonly mode: "local" | "team";
  /** Absolute folder of the database and the digest key. Made with mode 0700 if it is missing. */
  readonly dataFolder: string;
  readonly hostname: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Where clients reach a team server: https, without a path. */
  readonly publicUrl?: string;
  /** File that gets the first person's key at the first start, readable by its owner only. */
  readonly keyFile: string;
  readonly firstHandle: string;
  readonly keyName: string;
  /** Networks of proxies whose `X-Forwarded-For` is read. The header is not read by default. */
  readonly trustProxy?: readonly Network[];
  /** Multiplies every rate limit; 0 turns them off. The default is 1. */
  readonly rateScale?: number;
  /** How long a connection may be idle, in whole seconds: its client sends nothing and reads nothing of its answer. The default is 10. */
  readonly idleSeconds?: number;
  /** Offers figures to Prometheus: to whoever sends the token in a file, or at a loopback address of its own. Nowhere by default. */
  readonly metrics?: { readonly tokenFile: string } | MetricsAddress;
  /** Folder with the programs that people may download, absolute. Nothing is offered by default. */
  readonly downloads?: string;
  readonly version: string;
  readonly commit?: string;
  readonly commitTime?: string;
  /** The least level of the lines that are logged: by default `info` for a team's server, `warn` for a local one. */
  readonly logLevel?: LogLevel;
  /** The default is JSON. */
  readonly logForm?: LogForm;
  log(line: string): void;
  /** Where backups go, how many stay, and how often one is made. */
  readonly backups?: BackupSettings;
  /** Whether another program, such as Litestream, may read the database meanwhile. No backup can be made then. */
  readonly shared?: boolean;
  /** The words that start this program. From its sources unless said. */
  readonly program?: readonly string[];
  /** For measurements only. */
  readonly database?: DatabaseOptions;
  /** For tests only: the bytes free on the disk of a folder. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  /** For measurements only: whether agents that only wake each other are stopped. They are, by default. */
  readonly loopGuard?: boolean;
}

/** A running server. */
export interface RunningServer {
  readonly url: string;
  readonly dataFolder: string;
  /** Set when this start made the database and its first person. */
  readonly createdPerson: { handle: string } | null;
  /** Who has the working keys of server admins at this start: a handle for each key. */
  readonly adminKeys: readonly string[];
  readonly notices: StartNotices;
  readonly db: Db;
  /**
   * Ends streams and waits, finishes what is in flight, folds the log into the database and closes it. A client
   * that does not read its answer delays this by five seconds at most.
   */
  stop(): Promise<void>;
}
