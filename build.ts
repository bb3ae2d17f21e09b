/**
 * Makes `dist/service`: one file that runs on a machine without Bun, Node or these sources.
 * `npm run build -- [--target bun-linux-arm64] [--outfile dist/service-arm64]`
 */
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    target: { type: "string" },
    outfile: { type: "string", default: "dist/service" },
  },
});

const git = (...command: string[]) => {
  const { exitCode, stdout } = Bun.spawnSync(["git", ...command], { stderr: "ignore" });
  return exitCode === 0 ? stdout.toString().trim() : "";
};
const commit = git("rev-parse", "--short=12", "HEAD");
const commitTime = git("show", "--no-patch", "--format=%cI", "HEAD");

await Bun.build({
  entrypoints: ["src/main.ts"],
  target: "bun",
  format: "esm",
  // Compiled ahead of time, the program starts in half the time.
  bytecode: true,
  // Each command loads what it needs and no more.
  splitting: true,
  minify: { whitespace: true, syntax: true },
  define: {
    ...(commit && { SERVICE_COMMIT: JSON.stringify(commit) }),
    ...(commitTime && { SERVICE_COMMIT_TIME: JSON.stringify(new Date(commitTime).toISOString()) }),
  },
  compile: {
    outfile: values.outfile,
    ...(values.target && { target: values.target as Bun.Build.CompileTarget }),
    // The program must not take code or settings from the folder that it is run in.
    autoloadBunfig: false,
    autoloadDotenv: false,
    autoloadPackageJson: false,
    autoloadTsconfig: false,
  },
});
console.log(`built ${values.outfile}`);
