/**
 * Makes `dist/service`: one file that runs on a machine without Bun, Node or these sources.
 * `npm run build -- [--target bun-linux-arm64] [--outfile dist/service-arm64]`
 * `npm run build -- --all` makes one for each system, in `dist/downloads`, as `serve --downloads` offers them.
 * `--without-page` leaves the board view out, to measure what holding it costs a start.
 */
import { parseArgs } from "node:util";
import { buildPage } from "./src/web/build/build-page.ts";
import { programFile, programTargets } from "./src/contract/programs.ts";

const { values } = parseArgs({
  options: {
    target: { type: "string" },
    outfile: { type: "string", default: "dist/service" },
    all: { type: "boolean", default: false },
    "without-page": { type: "boolean", default: false },
  },
});

const git = (...command: string[]) => {
  const { exitCode, stdout } = Bun.spawnSync(["git", ...command], { stderr: "ignore" });
  return exitCode === 0 ? stdout.toString().trim() : "";
};
const commit = git("rev-parse", "--short=12", "HEAD");
const commitTime = git("show", "--no-patch", "--format=%cI", "HEAD");

/** The page as its files, which the program holds. */
const page = JSON.stringify(
  values["without-page"] ? { script: "", style: "", icon: "", files: {} } : await buildPage(),
);

async function build(outfile: string, target?: string): Promise<void> {
  await Bun.build({
    entrypoints: ["src/main.ts"],
    target: "bun",
    format: "esm",
    // Compiled ahead of time, the program starts in half the time.
    bytecode: true,
    // Each command loads what it needs and no more, in few pieces: each piece costs a start 0.1 ms.
    splitting: true,
    minChunkSize: 64 * 1024,
    minify: { whitespace: true, syntax: true },
    define: {
      SERVICE_PAGE: page,
      ...(commit && { SERVICE_COMMIT: JSON.stringify(commit) }),
      ...(commitTime && {
        SERVICE_COMMIT_TIME: JSON.stringify(new Date(commitTime).toISOString()),
      }),
    },
    compile: {
      outfile,
      ...(target && { target: target as Bun.Build.CompileTarget }),
      // The program must not take code or settings from the folder that it is run in.
      autoloadBunfig: false,
      autoloadDotenv: false,
      autoloadPackageJson: false,
      autoloadTsconfig: false,
    },
  });
  console.log(`built ${outfile}`);
}

if (values.all)
  for (const target of programTargets)
    await build(`dist/downloads/${programFile(target)}`, `bun-${target}`);
else await build(values.outfile, values.target);
