import type { Cli } from "../frame/cli.ts";
import { keyFor, type ServerRef } from "../../client/machine/servers.ts";
import { quietApi } from "./quiet-api.ts";

/** How long somebody waits who only wants a name, in milliseconds. */
const quickMs = 700;

/** The person's boards on a server; none if it does not answer at once. It starts no server. */
export async function boardsAt(cli: Cli, server: ServerRef): Promise<string[]> {
  const key = keyFor(cli, server);
  if (!key) return [];
  const signal = cli.clock.timeout(quickMs);
  const late = new Promise<string[]>((resolve) =>
    signal.addEventListener("abort", () => resolve([])),
  );
  const listed = quietApi(cli, server, key)
    .call("listBoards", { query: { form: "short" } }, { signal })
    .then(({ boards }) => boards.map(({ name }) => name))
    .catch(() => []);
  // A local server that stands still does not answer the question for its proof either.
  return Promise.race([listed, late]);
}
