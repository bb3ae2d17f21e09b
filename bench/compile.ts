import { join } from "node:path";

/** Compiles a script of `bench` the way `build.ts` of the project compiles the service, and gives the program's path. */
export async function compile(script: string, folder: string): Promise<string> {
  const outfile = join(folder, script.replace(/\.ts$/, ""));
  const result = await Bun.build({
    entrypoints: [new URL(script, import.meta.url).pathname],
    target: "bun",
    format: "esm",
    bytecode: true,
    minify: { whitespace: true, syntax: true },
    compile: {
      outfile,
      autoloadBunfig: false,
      autoloadDotenv: false,
      autoloadPackageJson: false,
      autoloadTsconfig: false,
    },
  });
  if (!result.success) throw new AggregateError(result.logs, `bench/${script} does not compile`);
  return outfile;
}
