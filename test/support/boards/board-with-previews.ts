import { previewPath } from "../../../src/contract/preview.ts";
import { addressOf } from "../../../src/contract/address.ts";
import type { Client } from "../../../src/client/client.ts";
import { startWorld, type World } from "../servers/server-in-process.ts";
import { docs, makeDocs } from "./docs-board.ts";
import { ask } from "../raw-requests.ts";

const origin = "http://127.0.0.1:7400";

/** The cookie of a browser in which somebody has signed in. */
async function cookieOf(world: World, person: Client): Promise<string> {
  const { code } = await person.call("createLoginCode");
  const answer = await ask(world, "POST /v1/browser-sessions", {
    body: { code },
    headers: { origin },
  });
  return answer.headers["set-cookie"]!.split(";")[0]!;
}

/** Board `docs`, whose owner writes files and looks at their previews in a browser. */
export async function newWorldWithFiles() {
  const world = await startWorld();
  await makeDocs(world);
  const cookie = await cookieOf(world, world.admin);
  const previewOf = (file: string) =>
    origin + addressOf(previewPath, { params: { board: "docs", file, version: "latest" } });
  return {
    world,
    addressOf: previewOf,
    put: (name: string, bytes: BlobPart, media_type?: string) =>
      world.admin.upload(
        { ...docs, query: { name, ...(media_type !== undefined && { media_type }) } },
        new Blob([bytes]),
      ),
    view: async (name: string, headers: Record<string, string> = {}) =>
      world.handle(new Request(previewOf(name), { headers: { cookie, ...headers } })),
    /** The cookie of somebody who is not on the board. */
    stranger: async () => cookieOf(world, await world.person("eve")),
  };
}

export type Viewer = Awaited<ReturnType<typeof newWorldWithFiles>>;
