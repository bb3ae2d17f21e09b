import { LocalError } from "../../client/machine/local-error.ts";
import type { ServerRef } from "../../client/machine/servers.ts";

/**
 * Refuses the answer of an address where texts are missing that this service always sends, before anything of it is kept or
 * shown. Whoever signs in typed the address, so any program may be there.
 */
export function requireTexts({ url }: ServerRef, texts: readonly unknown[]): void {
  if (texts.every((text) => typeof text === "string" && text !== "")) return;
  throw new LocalError(
    "server_unreachable",
    `${url} does not answer like a server of Team Board Service. Nothing was changed on this machine.`,
    "Check the address, and whether another program or a proxy answers there.",
  );
}
