import type { Client, Given } from "../../../src/client/client.ts";
import type { World } from "../servers/server-in-process.ts";

type PostBody = Given<"postMessage">["body"];
type BoardBody = Given<"createBoard">["body"];
type PolicyChange = NonNullable<NonNullable<Given<"updateBoard">["body"]>["policy"]>;

/** Board `docs` of the world's admin, and who else is on it. */
export const docs = { params: { board: "docs" } };

/** Makes the board `docs`, owned by the world's admin. */
export const makeDocs = (world: World, body: Partial<BoardBody> = {}) =>
  world.admin.call("createBoard", { body: { name: "docs", ...body } });

/** Posts to `docs`; a text alone is a body. */
export const post = (client: Client, message: string | NonNullable<PostBody>) =>
  client.call("postMessage", {
    ...docs,
    body: typeof message === "string" ? { body: message } : message,
  });

/** Changes the policy of `docs` as its owner. */
export const setPolicy = (world: World, policy: PolicyChange) =>
  world.admin.call("updateBoard", { ...docs, body: { policy } });

/** A new person of the server who is on `docs`. */
export async function personOnDocs(world: World, handle: string) {
  const person = await world.person(handle);
  await world.admin.call("addPerson", { ...docs, body: { handle } });
  return person;
}

/** A guest code for a handle. */
export const guestCodeFor = (
  maker: Client,
  guest: string,
  { board = "docs", ...more }: { board?: string; role?: string; ttl_seconds?: number } = {},
) => maker.call("createJoinCode", { params: { board }, body: { role: "member", guest, ...more } });

/** A new guest of the server on a board, with their first agent. */
export async function guestOn(world: World, handle: string, board = "docs") {
  const { code } = await guestCodeFor(world.admin, handle, { board });
  const { person, key, agent, token } = await world
    .as()
    .call("guestJoin", { body: { code, key_name: "machine" } });
  return {
    ...world.as(key.token),
    token: key.token,
    id: person.id,
    keyId: key.id,
    handle,
    agent: { ...world.as(token), token, id: agent.id, name: agent.name },
  };
}

/** A seat of the admin's on `docs`, named. */
export const seatOnDocs = (world: World, name: string, role = "member") =>
  world.seat(world.admin, "docs", { name, role });

/** Takes every permission from a role of a board but those given: no operation changes a role. */
export const setRole = (world: World, role: string, can: readonly string[]) =>
  world.db.write(
    (tx) =>
      void tx.run(
        "INSERT INTO board_role (board_row, name, can) VALUES (1, ?1, ?2) ON CONFLICT DO UPDATE SET can = ?2",
        role,
        JSON.stringify(can),
      ),
  );

/** Every event of a board's log as a member of it is shown it. */
export async function eventsOf(client: Client, board = "docs") {
  const events = [];
  for (let after: number | null = 0; after !== null;) {
    const page: Awaited<ReturnType<typeof page200>> = await page200(client, board, after);
    events.push(...page.events);
    after = page.next_after;
  }
  return events;
}
const page200 = (client: Client, board: string, after: number) =>
  client.call("listEvents", { params: { board }, query: { after, limit: 200 } });

/** Where a board's log ends. */
export const headOf = async (client: Client, board = "docs") =>
  (await client.call("getBoard", { params: { board } })).head_seq;
