import { ApiError } from "../../client/client.ts";
import type { Owner, Remembered } from "../../client/machine/remembered-files.ts";
import type { Place } from "../acting/place-of.ts";

/**
 * Whether a board still has a remembered version. Only a restore of the server from a backup takes versions back and gives their
 * numbers to others, so the board is asked only under another generation of the server.
 */
export async function isStillThere(
  { api, board }: Place,
  { server_generation }: Owner,
  known: Remembered,
): Promise<boolean> {
  if (known.server_generation === server_generation) return true;
  const file = await api
    .call("getFile", { params: { board, file: known.file_id } })
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    });
  const { version, digest } = known;
  return file?.versions.some((one) => one.version === version && one.digest === digest) ?? false;
}
