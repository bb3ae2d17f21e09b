/** The words after the script's name. Without enough of them it says how the script is called and ends with 2. */
export function argumentsOf(usage: string, least: number): string[] {
  const words = process.argv.slice(2);
  if (words.length >= least) return words;
  console.error(`Usage: bun ${process.argv[1]} ${usage}`);
  process.exit(2);
}

/** Prints a result for the parent as one line of JSON. */
export function reportJson(result: object): void {
  console.log(JSON.stringify(result));
}

/** Runs a measurement in a process of its own, so that none inherits another's heap, and gives what it reports. */
export async function measureIn<T>(script: string, ...words: (string | number)[]): Promise<T> {
  const child = Bun.spawn(
    [process.execPath, new URL(script, import.meta.url).pathname, ...words.map(String)],
    {
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`bench/${script} ended with ${child.exitCode}`);
  return JSON.parse(output) as T;
}
