import { parseArgs } from "node:util";

export const partNames = [
  "posts",
  "reads",
  "streams",
  "inboxes",
  "ladder",
  "growth",
  "work",
  "backup",
  "startup",
  "daemon",
  "page",
] as const;
export type PartName = (typeof partNames)[number] | "peers";

/** How much is measured: how many alternating runs, and how long one measurement of a rate takes. */
export interface Options {
  runs: number;
  seconds: number;
  quick: boolean;
  parts: readonly PartName[];
}

const usage = `Usage: bun run bench [--quick] [--runs N] [--only ${partNames.join(",")}] [--peers]

--quick   one short run instead of nine: figures to look at, not to publish
--runs    so many runs instead of nine, at least five: less time, and a wider spread
--only    these parts alone
--peers   beside them posts to other programs, which must be installed: Redis, PostgreSQL, etcd, NATS

A run of all parts that is not quick writes bench/RESULTS.md and bench/ladder.svg.`;

/** Reads the command line. Anything it does not know ends with 2 and the usage. */
export function readOptions(words: string[]): Options {
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        quick: { type: "boolean", default: false },
        runs: { type: "string" },
        only: { type: "string" },
        peers: { type: "boolean", default: false },
      },
    });
    const named = values.only?.split(",").map(partNamed) ?? partNames;
    const parts: PartName[] = values.peers
      ? [...new Set([...named, "peers" as const])]
      : [...named];
    return {
      quick: values.quick,
      runs: values.quick ? 1 : runsOf(values.runs),
      seconds: values.quick ? 1 : 3,
      parts,
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}

function runsOf(words: string | undefined): number {
  if (words === undefined) return 9;
  const runs = Number(words);
  if (!Number.isInteger(runs) || runs < 5) throw new Error(`--runs is at least 5: ${words}`);
  return runs;
}

function partNamed(word: string): PartName {
  const name = [...partNames, "peers" as const].find((part) => part === word);
  if (!name) throw new Error(`There is no part "${word}"`);
  return name;
}
