import type { Bucket } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";

/** How many attempts a minute a bucket allows, for each way to count them. */
interface Allowance {
  readonly perAddress?: number;
  readonly perCredential?: number;
  readonly perPerson?: number;
  readonly serverWide?: number;
  /** How many of the attempts may fail before the next one is refused. */
  readonly failures?: { readonly perAddress: number; readonly serverWide: number };
}

const allowances: Record<Bucket, Allowance> = {
  join: { perAddress: 30 },
  connect: { perAddress: 10, serverWide: 60 },
  posting: { perCredential: 600 },
  "sign-in": {
    perAddress: 120,
    serverWide: 600,
    failures: { perAddress: 20, serverWide: 100 },
  },
  "machine-start": { perAddress: 10, serverWide: 60 },
  "machine-code": { perAddress: 10, perPerson: 10, serverWide: 60 },
  "machine-collect": { perAddress: 60, serverWide: 600 },
};

/** How many uploads one credential may send at once. Unfinished ones use disk space that no quota counts. */
const uploadsAtOnce = 64;

/** How many large JSON bodies one credential may send at once. Unfinished ones are held in memory. */
const bodiesAtOnce = 64;

/** How many boards one credential may export at once. Each reads its whole log twice, and holds a file open. */
const exportsAtOnce = 2;

/** Who makes an attempt, as far as is known. Before the credential is read, only the address is. */
export interface Attempt {
  readonly address?: string;
  /** Digest of the credential. */
  readonly credential?: string;
  /** The permanent id of the person, or of the agent's person. */
  readonly person?: string;
}

/** Counts attempts, and refuses those past a limit. */
export interface Limits {
  /** Counts an attempt. Refuses it if the minute's attempts are used up. */
  charge(bucket: Bucket, attempt: Attempt): void;
  /** Counts an attempt that ended in a refusal. */
  failed(bucket: Bucket, attempt: Attempt): void;
  /** Counts an upload until the returned function is called. Refuses it if the credential has too many running. */
  beginUpload(credential: string): () => void;
  /** Counts a large JSON body that is on its way, as `beginUpload` counts an upload. */
  beginBody(credential: string): () => void;
  /** Counts the export of a board, as `beginUpload` counts an upload. */
  beginExport(credential: string): () => void;
}

/**
 * Makes the limits of a server: fixed windows of a minute, in memory. Every count of an attempt goes up, even if
 * another count refuses it. `scale` multiplies each number; 0 turns limits off. A local server does not limit posts.
 */
export function createLimits(server: {
  readonly mode: "local" | "team";
  readonly scale: number;
  readonly clock: () => Date;
}): Limits {
  let minute = 0;
  let counts = new Map<string, number>();
  const uploads = new Map<string, number>();
  const bodies = new Map<string, number>();
  const exports = new Map<string, number>();
  /** Counts one more of what a credential has under way. At least one is allowed, however small the scale. */
  const begin = (
    underWay: Map<string, number>,
    credential: string,
    [entry, atOnce]: readonly ["too_many_uploads" | "too_many_bodies" | "too_many_exports", number],
  ) => {
    const count = () => underWay.get(credential) ?? 0;
    const most = Math.ceil(atOnce * server.scale);
    if (server.scale > 0 && count() >= most) throw refuse(entry, { most });
    underWay.set(credential, count() + 1);
    return () => {
      if (count() > 1) underWay.set(credential, count() - 1);
      else underWay.delete(credential);
    };
  };
  const turn = () => {
    const now = Math.floor(server.clock().getTime() / 60_000);
    if (now !== minute) [minute, counts] = [now, new Map()];
  };
  const add = (name: string): number => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count;
  };
  return {
    charge(bucket, attempt) {
      if (server.scale === 0 || (bucket === "posting" && server.mode === "local")) return;
      turn();
      // An attempt may find its address only when it is asked for it.
      const { address, credential, person } = attempt;
      const { failures, ...allowed } = allowances[bucket];
      const exceeded = [
        ...(address === undefined
          ? []
          : [
              [`address ${address}`, allowed.perAddress] as const,
              ["server", allowed.serverWide] as const,
            ]),
        [`credential ${credential}`, credential && allowed.perCredential] as const,
        [`person ${person}`, person && allowed.perPerson] as const,
      ].filter(
        ([who, most]) => typeof most === "number" && add(`${bucket} ${who}`) > most * server.scale,
      );
      const failed = (who: string) => counts.get(`${bucket} failed ${who}`) ?? 0;
      const spent =
        failures &&
        (failed(`address ${address}`) >= failures.perAddress * server.scale ||
          failed("server") >= failures.serverWide * server.scale);
      if (exceeded.length > 0 || spent) throw refuse("rate_limited");
    },
    failed(bucket, attempt) {
      if (server.scale === 0 || !allowances[bucket].failures) return;
      turn();
      const { address } = attempt;
      add(`${bucket} failed address ${address}`);
      add(`${bucket} failed server`);
    },
    beginUpload: (credential) => begin(uploads, credential, ["too_many_uploads", uploadsAtOnce]),
    beginBody: (credential) => begin(bodies, credential, ["too_many_bodies", bodiesAtOnce]),
    beginExport: (credential) => begin(exports, credential, ["too_many_exports", exportsAtOnce]),
  };
}
