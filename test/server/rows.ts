import type { World } from "../support/world.ts";

/** Puts a session of a browser into the database that the key with this token started; gives its token. */
export async function browserOf(world: World, keyToken: string): Promise<string> {
  const token = world.secrets.create("abb");
  await world.db.write((tx) =>
    tx.insert(
      "INSERT INTO browser_session (id, digest, key_row, started_with, created_at, expires_at) SELECT 'ses_' || hex(randomblob(13)), ?, row, 'access_key', ?, '9999-01-01T00:00:00.000Z' FROM access_key WHERE digest = ?",
      world.secrets.digest(token),
      tx.now,
      world.secrets.digest(keyToken),
    ),
  );
  return token;
}

/** Makes a guest of a person, whatever they had made before. */
export const makeGuest = (world: World, handle: string) =>
  world.db.write((tx) =>
    tx.run("UPDATE person SET server_role = 'guest' WHERE handle = ?", handle),
  );

/** Takes a person off the server, and leaves their keys as they are. */
export const takeAway = (world: World, handle: string) =>
  world.db.write((tx) =>
    tx.run("UPDATE person SET removed_at = ? WHERE handle = ?", tx.now, handle),
  );
