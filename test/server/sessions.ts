import type { World } from "../support/world.ts";

/** A browser's session of a key, as it is stored once a browser has signed in. Gives its secret. */
export async function startSession(world: World, keyId: string, seconds = 30 * 86_400) {
  const token = world.secrets.create("abb");
  await world.db.write((tx) =>
    tx.insert(
      "INSERT INTO browser_session (id, digest, key_row, started_with, created_at, expires_at) SELECT 'ses_' || hex(randomblob(13)), ?, row, 'access_key', ?, ? FROM access_key WHERE id = ?",
      world.secrets.digest(token),
      tx.now,
      new Date(world.clock.now.getTime() + seconds * 1000).toISOString(),
      keyId,
    ),
  );
  return token;
}

/** A machine's delegation of a key, as it is stored once it was made. Gives its secret. */
export async function delegate(world: World, keyId: string) {
  const token = world.secrets.create("abd");
  await world.db.write((tx) =>
    tx.insert(
      "INSERT INTO delegation (id, digest, key_row, name, created_at) SELECT 'dlg_' || hex(randomblob(13)), ?, row, 'box', ? FROM access_key WHERE id = ?",
      world.secrets.digest(token),
      tx.now,
      keyId,
    ),
  );
  return token;
}

/** Makes a person who is on the server a guest, as who came in by a guest code is one. */
export const makeGuest = (world: World, handle: string) =>
  world.db.write(
    (tx) => void tx.run("UPDATE person SET server_role = 'guest' WHERE handle = ?", handle),
  );
