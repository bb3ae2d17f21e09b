import type { Bucket } from "../../contract/operation.ts";
import { refuse } from "../../contract/refusal.ts";

/** How many attempts a minute a bucket allows, by whom they are counted. */
interface Allowance {
  readonly perAddress?: number;
  readonly perCredential?: number;
  readonly serverWide?: number;
}

const allowances: Record<Bucket, Allowance> = {
  join: { perAddress: 30 },
  connect: { perAddress: 10, serverWide: 60 },
  posting: { perCredential: 600 },
};

/** Who makes an attempt: the address of its connection, or the digest of its credential. */
export interface Attempt {
  readonly address?: string;
  readonly credential?: string;
}

/** Counts an attempt; refuses it when this minute's are used up. */
export type Charge = (bucket: Bucket, attempt: Attempt) => void;

/**
 * Makes the limits of a server: fixed windows of a minute, in memory. Every count of an attempt is charged, also when
 * another of them refuses it. `scale` multiplies each number; 0 turns limits off. A local server does not limit posts.
 */
export function createLimits(server: {
  readonly mode: "local" | "team";
  readonly scale: number;
  readonly clock: () => Date;
}): Charge {
  let minute = 0;
  let counts = new Map<string, number>();
  return (bucket, { address, credential }) => {
    if (server.scale === 0 || (bucket === "posting" && server.mode === "local")) return;
    const now = Math.floor(server.clock().getTime() / 60_000);
    if (now !== minute) [minute, counts] = [now, new Map()];
    const { perAddress, perCredential, serverWide } = allowances[bucket];
    const exceeded = [
      [`address ${address}`, perAddress] as const,
      [`credential ${credential}`, perCredential] as const,
      ["server", serverWide] as const,
    ].filter(([who, most]) => {
      if (most === undefined) return false;
      const count = (counts.get(`${bucket} ${who}`) ?? 0) + 1;
      counts.set(`${bucket} ${who}`, count);
      return count > most * server.scale;
    });
    if (exceeded.length > 0) throw refuse("rate_limited");
  };
}
