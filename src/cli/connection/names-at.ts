import type { Api } from "./api.ts";
import type { Cli } from "../frame/cli.ts";
import { keyFor, type ServerRef } from "../../client/machine/servers.ts";
import { quietApi } from "./quiet-api.ts";

/** How long somebody waits who only wants a name, in milliseconds. */
const quickMs = 700;

/** The names of the person's boards on a server; none if it does not answer at once. It starts no server. */
export const boardsAt = (cli: Cli, server: ServerRef): Promise<string[]> =>
  atOnce(cli, server, async (api, signal) => {
    const { boards } = await api.call("listBoards", { query: { form: "short" } }, { signal });
    return boards.map(({ name }) => name);
  });

/** The handles of a server's people, as `boardsAt` gives names of boards. */
export const handlesAt = (cli: Cli, server: ServerRef): Promise<string[]> =>
  atOnce(cli, server, async (api, signal) => {
    const listed = await api.call("listServerPeople", {}, { signal });
    return "people" in listed ? listed.people.map(({ handle }) => handle) : [];
  });

async function atOnce(
  cli: Cli,
  server: ServerRef,
  read: (api: Pick<Api, "call">, signal: AbortSignal) => Promise<string[]>,
): Promise<string[]> {
  const key = keyFor(cli, server);
  if (!key) return [];
  const signal = cli.clock.timeout(quickMs);
  const late = new Promise<string[]>((resolve) =>
    signal.addEventListener("abort", () => resolve([])),
  );
  const listed = read(quietApi(cli, server, key), signal).catch(() => []);
  // A local server that stands still does not answer the question for its proof either.
  return Promise.race([listed, late]);
}
