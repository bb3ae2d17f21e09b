import type { ServerRef } from "../../client/machine/servers.ts";
import type { Api } from "./api.ts";
import { LocalError } from "../../client/machine/local-error.ts";

/** A part of the service that older servers lack. */
export type Feature = "tasks" | "lines" | "asks" | "files";

/** Refuses a server that lacks a part of the service: it is older than this program. */
export async function requireFeature(
  { api, server }: { readonly api: Api; readonly server: ServerRef },
  ...needed: readonly Feature[]
): Promise<void> {
  const { features } = await api.info();
  const missing = needed.find((feature) => !features.includes(feature));
  if (missing === undefined) return;
  throw outdated(server, `it has no ${missing}`);
}

/** The refusal of a server that lacks something: it is older than this program. `lacking` is a sentence without its end. */
export const outdated = ({ name, url }: ServerRef, lacking: string): LocalError =>
  new LocalError(
    "server_outdated",
    `The server ${url} is older than this program: ${lacking}.`,
    name === "local"
      ? "Stop it with `service down`, then try again: that starts this program's own."
      : "Ask whoever runs it to bring it up to date.",
  );
