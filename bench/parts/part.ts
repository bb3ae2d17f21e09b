import type { Section } from "../figures.ts";
import type { Options } from "../options.ts";

/** What a part is given: how much to measure, a folder on a disk, the compiled bare programs. */
export interface Context extends Options {
  scratch: string;
  /** Path of the compiled `bare.ts`. */
  bareProgram: string;
  /** Path of the compiled `echo.ts`. */
  echoProgram: string;
  /** The service without its board view. */
  programWithoutPage: string;
}

/** Measures one part. */
export type Part = (context: Context) => Promise<Section>;

/** Does something once for each alternating run and gives what each gave. */
export async function alternate<T>(
  runs: number,
  run: (number: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (let number = 1; number <= runs; number++) results.push(await run(number));
  return results;
}

/** One thing of each of two servers that differ in size. */
export interface Sizes<T> {
  small: T;
  large: T;
}

/** The mean cost on each of two servers, measured small, large, large, small, so that a machine that grows slower is so for both. */
export async function costOnBoth<T>(
  { small, large }: Sizes<T>,
  cost: (of: T) => Promise<number>,
): Promise<Sizes<number>> {
  const first = await cost(small);
  const both = (await cost(large)) + (await cost(large));
  return { small: (first + (await cost(small))) / 2, large: both / 2 };
}
