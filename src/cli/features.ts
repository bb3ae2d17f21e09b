import type { Actor } from "./acting.ts";
import { CliError } from "./errors.ts";

/** Refuses a server that lacks a part of the service: it is older than this program. */
export async function requireFeature(
  { api, server }: Actor,
  feature: "asks" | "lines",
): Promise<void> {
  const { features } = await api.call("getInfo");
  if (features.includes(feature)) return;
  throw new CliError(
    "server_outdated",
    `The server ${server.url} is older than this program: it has no ${feature}.`,
    server.name === "local"
      ? "Stop it with `service down`, then try again: that starts this program's own."
      : "Ask whoever runs it to bring it up to date.",
  );
}
