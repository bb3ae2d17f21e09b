import type { World } from "./servers/server-in-process.ts";

/** Signs a browser in with the key of this token; gives the browser's token. */
export async function browserOf(world: World, keyToken: string): Promise<string> {
  const { code } = await world.as(keyToken).call("createLoginCode");
  return (await world.as().call("createBrowserToken", { body: { code } })).token;
}

/** Makes a delegation with the key of this token; gives its token. */
export const delegate = async (world: World, keyToken: string): Promise<string> =>
  (await world.as(keyToken).call("createDelegation", { body: { name: "box" } })).token;

/** Makes a guest of a person who came as a member, whatever they had made before: no operation does. */
export const makeGuest = (world: World, handle: string) =>
  world.db.write(
    (tx) => void tx.run("UPDATE person SET server_role = 'guest' WHERE handle = ?", handle),
  );
