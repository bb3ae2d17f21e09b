import type { Place } from "./place.ts";

/**
 * Removes all but the newest `keep` backups of a server from a place, and never the one that was just made: others may be of a
 * clock that was wrong. Those of other servers that share it are theirs to remove.
 * Returns the names of those that were removed.
 */
export async function keepNewest(
  place: Place,
  keep: number,
  { serverId, made }: { readonly serverId: string; readonly made: string },
): Promise<string[]> {
  const own = (await place.list()).filter(({ manifest }) => manifest.server_id === serverId);
  const old = own
    .slice(keep)
    .map(({ name }) => name)
    .filter((name) => name !== made);
  for (const name of old) await place.delete(name);
  return old;
}
