import { heapStats } from "bun:jsc";
import { join } from "node:path";
import { startServer } from "../src/server/serve.ts";
import { argumentsOf } from "./child.ts";

/** How the server commits: as it always does, or as it is compared with. */
export interface Mode {
  commit: "group" | "each";
  synchronous: "FULL" | "NORMAL";
  /** Whether agents that only wake each other are stopped. */
  loopGuard?: boolean;
}
/** Commits so far, and the writes they held. */
export interface Counters {
  commits: number;
  writes: number;
}

/** What a server's heap holds. */
export interface Heap {
  /** Bytes of objects, and of what they hold outside of the heap. */
  bytes: number;
  /** How many objects there are of each kind. */
  objects: Record<string, number>;
}
/** What the parent of a server may ask it, and what it answers. */
export interface Questions {
  counters: Counters;
  heap: Heap;
}

function heap(): Heap {
  Bun.gc(true);
  const { heapSize, extraMemorySize, objectTypeCounts } = heapStats();
  return { bytes: heapSize + extraMemorySize, objects: objectTypeCounts };
}

/** Starts a local server in a mode, from source; answers its parent's questions, and ends at SIGTERM. */
async function serve(home: string, port: number, mode: Mode): Promise<void> {
  const starting = startServer({
    mode: "local",
    dataFolder: join(home, "data"),
    hostname: "127.0.0.1",
    port,
    keyFile: join(home, "config", "owner-token"),
    firstHandle: "writer",
    keyName: "bench",
    version: "0.0.0",
    log: console.error,
    rateScale: 0,
    loopGuard: mode.loopGuard ?? true,
    database: { groupCommit: mode.commit === "group", synchronous: mode.synchronous },
  });
  // Its first answer may come before the start has returned, and its end right after that.
  process.on(
    "SIGTERM",
    () => void starting.then((server) => server.stop()).finally(() => process.exit(0)),
  );
  const server = await starting;
  process.on("message", (question: keyof Questions) => {
    const { commits, writes } = server.db.counters;
    process.send!(question === "heap" ? heap() : ({ commits, writes } satisfies Counters));
  });
}

if (import.meta.main) {
  const [home = "", port, mode = ""] = argumentsOf("HOME PORT MODE", 3);
  await serve(home, Number(port), JSON.parse(mode) as Mode);
}
