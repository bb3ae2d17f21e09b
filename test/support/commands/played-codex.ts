// Answers as `codex app-server` does about hooks and settings: it lists the hooks of the user's `hooks.json` with the trust
// that the file `bin/codex-trust` names, and keeps what is written to its settings in `codex-settings.jsonl`.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const home = process.env["HOME"]!;
const hooksFile = join(home, ".codex/hooks.json");
const settings = join(home, "bin/codex-settings.jsonl");

const answers: Record<string, (params: any) => object> = {
  initialize: () => ({}),
  "hooks/list": ({ cwds }) => ({ data: cwds.map(listIn) }),
  "config/batchWrite"(params) {
    appendFileSync(settings, `${JSON.stringify(params)}\n`);
    return {};
  },
};

function listIn(cwd: string) {
  const { trustStatus, warnings } = JSON.parse(readFileSync(join(home, "bin/codex-trust"), "utf8"));
  const written = existsSync(settings) ? readFileSync(settings, "utf8") : "";
  const { hooks = {} } = existsSync(hooksFile) ? JSON.parse(readFileSync(hooksFile, "utf8")) : {};
  const listed = Object.entries<any[]>(hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks: entries }, group) =>
      entries.map(({ command }: any, index: number) => {
        const key = `${hooksFile}:${event}:${group}:${index}`;
        const isTrusted =
          trustStatus === "trusted" ||
          written.includes(JSON.stringify(JSON.stringify(key)).slice(1, -1));
        const status = isTrusted ? "trusted" : trustStatus;
        return {
          key,
          command,
          currentHash: `hash of ${key}`,
          trustStatus: status,
          isManaged: false,
        };
      }),
    ),
  );
  return { cwd, hooks: listed, warnings, errors: [] };
}

for await (const line of console) {
  const { id, method, params } = JSON.parse(line);
  const answer = answers[method];
  if (answer) process.stdout.write(`${JSON.stringify({ id, result: answer(params) })}\n`);
}
