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

/** Builds the service without its board view, and gives the program's path. */
export async function buildWithoutPage(folder: string): Promise<string> {
  const outfile = join(folder, "service-without-page");
  const build = new URL("../build.ts", import.meta.url).pathname;
  const child = Bun.spawn([process.execPath, build, "--without-page", "--outfile", outfile], {
    cwd: new URL("..", import.meta.url).pathname,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error("the service does not build without its page");
  return outfile;
}
