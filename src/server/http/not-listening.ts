import { StartRefused } from "../start-refused.ts";

/** Why a system refused an address, by the code of its error, in words that follow it. */
const reasons: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: "this machine has no such address",
  EACCES: "this user may not listen there, as on ports below 1024",
  EINVAL: "it is no address of this machine",
};

/**
 * The refusal of a start that cannot listen at an address. `setting` is what chooses another one. Whatever is not about the
 * address comes back as it is.
 */
export function notListening(
  error: unknown,
  { hostname, port }: { readonly hostname: string; readonly port: number },
  setting: string,
): unknown {
  const { code: cause = "" } = error as { code?: string };
  const address = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  if (cause === "EADDRINUSE")
    return new StartRefused(
      "address_in_use",
      `Another program listens on ${address}.`,
      `Stop it, or choose another address with ${setting}.`,
    );
  if (!Object.hasOwn(reasons, cause)) return error;
  return new StartRefused(
    "address_unusable",
    `The server cannot listen on ${address}: ${reasons[cause]}.`,
    `Choose another address with ${setting}.`,
  );
}
