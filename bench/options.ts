import { parseArgs } from "node:util";

export const partNames = [
  "posts",
  "reads",
  "streams",
  "ladder",
  "growth",
  "work",
  "backup",
  "startup",
  "daemon",
  "page",
] as const;
export type PartName = (typeof partNames)[number];

/** How much is measured: how many alternating runs, and how long one measurement of a rate takes. */
export interface Options {
  runs: number;
  seconds: number;
  quick: boolean;
  parts: readonly PartName[];
}

const usage = `Usage: bun run bench [--quick] [--only ${partNames.join(",")}]

--quick   one short run instead of nine: figures to look at, not to publish
--only    these parts alone

A whole run (neither option) writes bench/RESULTS.md and bench/ladder.svg.`;

/** Reads the command line. Anything it does not know ends with 2 and the usage. */
export function readOptions(words: string[]): Options {
  try {
    const { values } = parseArgs({
      args: words,
      options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
    });
    const parts = values.only?.split(",").map(partNamed) ?? partNames;
    return {
      quick: values.quick,
      runs: values.quick ? 1 : 9,
      seconds: values.quick ? 1 : 3,
      parts,
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}

function partNamed(word: string): PartName {
  const name = partNames.find((part) => part === word);
  if (!name) throw new Error(`There is no part "${word}"`);
  return name;
}
