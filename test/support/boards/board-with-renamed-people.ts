import type { Client } from "../../../src/client/client.ts";
import { startWorld, type World } from "../servers/server-in-process.ts";
import { eventsOf, makeDocs, personOnDocs } from "./docs-board.ts";

export const rename = (client: Client, from: string, to: string, idempotencyKey?: string) =>
  client.call(
    "renamePerson",
    { params: { handle: from }, body: { handle: to } },
    idempotencyKey ? { idempotencyKey } : {},
  );
export const outcome = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    ({ code }) => code as string,
  );
export const comeIn = async (world: World, handle: string) => {
  const { invite } = await world.admin.call("createServerInvite");
  return outcome(world.connect({ invite, handle, key_name: "laptop" }));
};
export const membersOf = async (client: Client, board = "docs") =>
  (await client.call("listMembers", { params: { board } })).members.map(({ name, owner }) =>
    owner === null ? name : `${name} of ${owner}`,
  );
export const renamings = async (client: Client, board = "docs") =>
  (await eventsOf(client, board)).filter(({ type }) => type === "person.renamed");

/** Docs, which ana owns, with bo and his agent writer, and cy, who is on the server alone. */
export async function startRenaming() {
  const world = await startWorld();
  await makeDocs(world);
  const bo = await personOnDocs(world, "bo");
  const writer = await world.seat(bo, "docs", { name: "writer" });
  const cy = await world.person("cy");
  return { world, ana: world.admin, bo, writer, cy };
}
