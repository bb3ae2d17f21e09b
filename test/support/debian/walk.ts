import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Pages for operators, line by line, on a machine of its own: what one machine without systemd lacks is played beside this file. */
export const root = resolve(import.meta.dir, "../../..");
/** The public host name that HOST stands for. */
export const host = "localhost";

/** A page of the project. */
export const pageOf = (path: string): string => readFileSync(join(root, path), "utf8");

/** A text with the host name in the place of HOST. */
export const onHost = (text: string): string =>
  text.replaceAll("HOST", host).replaceAll(`SERVICE_${host}`, "SERVICE_HOST");

/** The blocks of commands of a page, in their order. */
export const blocksOf = (page: string): string[] =>
  [...page.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, indent = "", text = ""]) =>
    onHost(text.replaceAll(new RegExp(`^${indent}`, "gm"), "")),
  );

/** Prints what a command says after its name, so that a test can tell the answers apart. */
export const answer = (name: string, command: string): string =>
  `echo "== ${name}"
${command}
echo "== others"`;

export const untilThere = (file: string): string => `until [ -s ${file} ]; do sleep 0.1; done`;
export const isServing =
  "until curl --silent --fail --insecure https://localhost/v1/info >/dev/null; do sleep 0.1; done";
/** The command line of somebody's own machine. */
const ownMachine = `
service() {
  env SERVICE_HOME=/root/own SERVICE_LOCAL_ADDR=127.0.0.1:7411 USER=root \\
    SSL_CERT_FILE=/var/lib/caddy/caddy/pki/authorities/local/root.crt /opt/board-service/service "$@"
}`;

/** Sets a machine up by the first blocks of deploy/README.md, until its server answers. */
export const setUp = ([program = "", start = "", proxy = ""]: readonly string[]): string[] => [
  "set -eu",
  `PATH=${join(root, "test/support/debian")}:$PATH`,
  `cd ${root}`,
  // A Debian that has none of it yet, where the program was built.
  "rm -rf /opt/board-service /etc/caddy/Caddyfile /var/lib/board-service",
  "userdel board-service 2>/dev/null || true",
  "mkdir -p /etc/systemd/system /etc/caddy",
  program,
  start,
  proxy,
  ownMachine,
  untilThere("/var/lib/board-service/admin-key"),
  untilThere("/var/lib/caddy/caddy/pki/authorities/local/root.crt"),
  isServing,
];

/** Runs commands on a machine of its own, below a folder. Gives the answers by their names. Throws with what was printed if one fails. */
export async function walkOn(
  folder: string,
  commands: readonly string[],
): Promise<Map<string, string>> {
  const script = join(folder, "walk.sh");
  writeFileSync(script, commands.join("\n"));
  mkdirSync(join(folder, "machine"));
  const child = Bun.spawn(
    ["timeout", "170", join(root, "test/support/debian/run"), join(folder, "machine"), script],
    { stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0)
    throw new Error(`the walk ended with ${code}\n${out.slice(-2_000)}\n${err.slice(-4_000)}`);
  return new Map(
    out
      .split(/^== /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf("\n");
        return [part.slice(0, end), part.slice(end + 1)] as const;
      }),
  );
}
