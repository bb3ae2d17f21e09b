import { buildInfo } from "../../../client/build-info.ts";
import { introduce, speakTo, type AppServer } from "../../../client/machine/codex-app-server.ts";
import type { Cli } from "../../frame/cli.ts";
import type { Talk } from "../../frame/surroundings.ts";

/** Starts an app server of Codex for this run alone, lets `work` call it, and ends it. Null if it cannot be started. */
export async function withCodex<T>(
  cli: Cli,
  work: (server: AppServer) => Promise<T>,
): Promise<T | null> {
  const talk = cli.system.converse(["codex", "app-server"], { cwd: cli.cwd, env: cli.env });
  if (talk === null) return null;
  const wire = { send: (text: string) => talk.say(`${text}\n`), close: () => talk.end() };
  const protocol = speakTo(wire, cli.clock, () => {});
  void hear(talk, protocol);
  try {
    return await work(await introduce(protocol, wire, buildInfo.version));
  } finally {
    talk.end();
    await talk.exited;
  }
}

async function hear(talk: Talk, protocol: ReturnType<typeof speakTo>): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of talk.output) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) protocol.receive(line);
  }
  protocol.ended();
}

/** A hook as Codex lists it. */
export interface ListedHook {
  readonly key: string;
  readonly command: string;
  readonly currentHash: string;
  readonly trustStatus: string;
}

/** The hooks that Codex knows in a folder, and what it warns of. */
export async function listedHooks(
  server: AppServer,
  cwd: string,
): Promise<{ readonly hooks: ListedHook[]; readonly warnings: string[] }> {
  const answer = (await server.call("hooks/list", { cwds: [cwd] })) as {
    data?: { hooks?: Partial<ListedHook>[]; warnings?: unknown[] }[];
  };
  const entries = answer.data ?? [];
  return {
    hooks: entries.flatMap(({ hooks = [] }) =>
      hooks.flatMap((hook) => (isListed(hook) ? [hook] : [])),
    ),
    warnings: entries.flatMap(({ warnings = [] }) => warnings.map(String)),
  };
}

const isListed = (hook: Partial<ListedHook>): hook is ListedHook =>
  [hook.key, hook.command, hook.currentHash, hook.trustStatus].every(
    (value) => typeof value === "string",
  );

/** Tells Codex that the person trusts these hooks, as its own screen does. Open sessions follow at once. */
export const trustHooks = (server: AppServer, hooks: readonly ListedHook[]): Promise<unknown> =>
  changeSettings(
    server,
    hooks.map(({ key, currentHash }) => [`${stateOf(key)}.trusted_hash`, currentHash]),
  );

/** Lets Codex forget what it keeps of hooks, by their keys. */
export const forgetHooks = (server: AppServer, keys: readonly string[]): Promise<unknown> =>
  changeSettings(
    server,
    keys.map((key) => [stateOf(key), null]),
  );

const stateOf = (key: string): string => `hooks.state.${JSON.stringify(key)}`;

const changeSettings = (server: AppServer, values: readonly (readonly [string, string | null])[]) =>
  server.call("config/batchWrite", {
    edits: values.map(([keyPath, value]) => ({ keyPath, value, mergeStrategy: "upsert" })),
    reloadUserConfig: true,
  });
