import type { ActorFlags } from "../acting/acting.ts";
import { placeOf, type Place } from "../acting/place-of.ts";
import type { Owner } from "../../client/machine/remembered-files.ts";
import { generationOf } from "../connection/generation.ts";
import type { Cli } from "../frame/cli.ts";

/** Where a command about files acts. Refuses a server that has none. */
export const filePlace = (cli: Cli, flags: ActorFlags, task?: string): Promise<Place> =>
  placeOf(cli, flags, { task, needs: ["files"] });

/** Whose remembered versions a command uses. */
export async function ownerAt({ actor, api, board }: Place): Promise<Owner> {
  const who = actor.kind === "agent" ? actor.seat.member_id : (await api.call("getMe")).id;
  return { who, server: actor.server.name, board, server_generation: await generationOf(api) };
}
