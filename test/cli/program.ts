import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const main = resolve(import.meta.dir, "../../src/main.ts");

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What `--json` printed. Fails when stdout is anything but one JSON object. */
  json(): any;
}

export interface Options {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
}

/** One machine: a SERVICE_HOME of its own, and the program run in it. */
export interface Machine {
  readonly home: string;
  /** The environment of its commands. */
  readonly env: Record<string, string>;
  run(words: string[], options?: Options): Promise<Ran>;
  /** Runs, and fails with what was printed unless the exit code is 0. */
  ok(words: string[], options?: Options): Promise<Ran>;
  /** Runs with `--json` and gives the object. */
  json(words: string[], options?: Options): Promise<any>;
  /** The code of the error that `--json` prints. */
  refusal(words: string[], options?: Options): Promise<string>;
  /** Stops its server and removes its files. */
  end(): Promise<void>;
}

/** Runs the real program with nothing of the surrounding environment but the PATH. */
export function newMachine(user = "Ada L"): Machine {
  const home = mkdtempSync(join(tmpdir(), "service-cli-"));
  const env = { PATH: process.env["PATH"]!, HOME: home, SERVICE_HOME: home, USER: user };
  const run: Machine["run"] = async (words, options = {}) => {
    const child = Bun.spawn([process.execPath, main, ...words], {
      cwd: home,
      env: { ...env, ...options.env },
      stdin: Buffer.from(options.stdin ?? ""),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, stdout, stderr, json: () => JSON.parse(stdout) };
  };
  return {
    home,
    env,
    run,
    async ok(words, options) {
      const ran = await run(words, options);
      if (ran.code !== 0) throw new Error(`${words.join(" ")}: ${ran.stdout}${ran.stderr}`);
      return ran;
    },
    async json(words, options) {
      const { code, stdout, json } = await run([...words, "--json"], options);
      if (code !== 0) throw new Error(`${words.join(" ")}: ${stdout}`);
      return json();
    },
    async refusal(words, options) {
      const { code, stdout, json } = await run([...words, "--json"], options);
      if (code !== 1) throw new Error(`${words.join(" ")} ended with ${code}: ${stdout}`);
      return json().error.code;
    },
    async end() {
      await run(["down"]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
