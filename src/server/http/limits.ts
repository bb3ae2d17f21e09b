import type { Bucket } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";

/** How many attempts a minute a bucket allows, by whom they are counted. */
interface Allowance {
  readonly perAddress?: number;
  readonly perCredential?: number;
  readonly perPerson?: number;
  readonly serverWide?: number;
  /** How many of them may fail: once these are used up the next attempt is refused. */
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

/** How many uploads of one credential are taken in at once. Their pieces lie on disk, where nothing else tells of them. */
const uploadsAtOnce = 64;

/** Who makes an attempt, as far as is known of them: by address before the credential is looked at, by the rest after. */
export interface Attempt {
  readonly address?: string;
  /** Digest of the credential. */
  readonly credential?: string;
  /** Their permanent id; an agent's is its person's. */
  readonly person?: string;
}

/** What is counted of attempts. */
export interface Limits {
  /** Counts an attempt; refuses it when this minute's are used up. */
  charge(bucket: Bucket, attempt: Attempt): void;
  /** Counts an attempt that ended in a refusal. */
  failed(bucket: Bucket, attempt: Attempt): void;
  /** Counts an upload until what it gives is called; refuses it while too many of its credential's are under way. */
  beginUpload(credential: string): () => void;
}

/**
 * Makes the limits of a server: fixed windows of a minute, in memory. Every count of an attempt is charged, also when
 * another of them refuses it. `scale` multiplies each number; 0 turns limits off. A local server does not limit posts.
 */
export function createLimits(server: {
  readonly mode: "local" | "team";
  readonly scale: number;
  readonly clock: () => Date;
}): Limits {
  let minute = 0;
  let counts = new Map<string, number>();
  const uploads = new Map<string, number>();
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
    charge(bucket, { address, credential, person }) {
      if (server.scale === 0 || (bucket === "posting" && server.mode === "local")) return;
      turn();
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
    failed(bucket, { address }) {
      if (server.scale === 0 || !allowances[bucket].failures) return;
      turn();
      add(`${bucket} failed address ${address}`);
      add(`${bucket} failed server`);
    },
    beginUpload(credential) {
      const underWay = () => uploads.get(credential) ?? 0;
      // However small the scale, one at a time is taken.
      const most = Math.ceil(uploadsAtOnce * server.scale);
      if (server.scale > 0 && underWay() >= most) throw refuse("too_many_uploads", { most });
      uploads.set(credential, underWay() + 1);
      return () => {
        if (underWay() > 1) uploads.set(credential, underWay() - 1);
        else uploads.delete(credential);
      };
    },
  };
}
