import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { newMachine, type Machine } from "./machine.ts";

/** A machine with programs that only say a version, in place of the harnesses. */
export interface HarnessMachine extends Machine {
  /** Writes a file below the home folder, and gives its path. */
  write(path: string, text: string, mode?: number): string;
  read(path: string): string;
  has(path: string): boolean;
  /** Puts a program on the PATH that prints a version, or runs these lines of a shell. */
  install(command: string, version: string, more?: string): void;
  /** Puts a Codex on the PATH that has a queue, and answers as an app server does about the hooks in its `hooks.json`. */
  installCodex(version: string): void;
  /** What that Codex says of its hooks from now on. */
  listCodexHooks(trustStatus: "trusted" | "untrusted", warnings?: readonly string[]): void;
  /** Every file below the home folder but those of this program, with its text. */
  files(): Record<string, string>;
}

/** A machine whose home has none of the harnesses but those that it is given: the version by the program's name. */
export function machineWith(programs: Readonly<Record<string, string>> = {}): HarnessMachine {
  const machine = newMachine();
  const at = (path: string) => join(machine.home, path);
  const bin = at("bin");
  mkdirSync(bin);
  // The real PATH may have real harnesses.
  machine.env["PATH"] = `${bin}:/usr/bin:/bin`;
  const given: HarnessMachine = {
    ...machine,
    write(path, text, mode = 0o600) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
      chmodSync(at(path), mode);
      return at(path);
    },
    read: (path) => readFileSync(at(path), "utf8"),
    has: (path) => existsSync(at(path)),
    install(command, version, more = "") {
      const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo "${command} ${version}"; exit; fi\n${more}\n`;
      given.write(`bin/${command}`, script, 0o755);
    },
    installCodex(version) {
      given.install("codex", version, codex);
      given.write(".codex/installation_id", "1");
      given.listCodexHooks("untrusted");
    },
    listCodexHooks(trustStatus, warnings = []) {
      given.write("bin/codex-trust", JSON.stringify({ trustStatus, warnings }));
    },
    files: () => filesBelow(machine.home),
  };
  for (const [command, version] of Object.entries(programs)) given.install(command, version);
  return given;
}

/** Its part as a shell script; the answers come from a program beside it, which reads what Codex would read. */
const codex = `case "$1" in
queue) exit 0 ;;
app-server) exec "${process.execPath}" ${resolve(import.meta.dir, "played-codex.ts")} ;;
esac`;

const own = new Set(["bin", "config", "data", "state"]);

function filesBelow(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(root.length + 1);
    return own.has(name.split("/")[0]!) ? [] : [[name, readFileSync(path, "utf8")] as const];
  });
  return Object.fromEntries(texts.sort(([one], [other]) => (one < other ? -1 : 1)));
}
