import { plainAddress } from "../../contract/networks.ts";
import { StartRefused } from "../start-refused.ts";

/** Why a system refused an address, by the code of its error, in words that follow it. */
const reasons: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: "this machine has no such address",
  EACCES: "this user may not listen there, as on ports below 1024",
};

/** What a system lacks, whatever the address is. */
const notAboutAddress = new Set(["EMFILE", "ENFILE", "ENOMEM", "ENOBUFS"]);

/**
 * The refusal of a start that cannot listen at an address. `setting` is what chooses another one. Whatever is not about the
 * address comes back as it is.
 */
export function notListening(
  error: unknown,
  { hostname, port }: { readonly hostname: string; readonly port: number },
  setting: string,
): unknown {
  const { code: cause = "", syscall } = error as { code?: string; syscall?: string };
  const address = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  // An address that is none has the code of whatever failed last.
  const isNone = /^[\d.]+$|:/.test(hostname) && plainAddress(hostname) === null;
  if (cause === "EADDRINUSE" && !isNone)
    return new StartRefused(
      "address_in_use",
      `Another program listens on ${address}.`,
      `Stop it, or choose another address with ${setting}.`,
    );
  if (syscall !== "listen" || notAboutAddress.has(cause)) return error;
  return new StartRefused(
    "address_unusable",
    `The server cannot listen on ${address}: ${(!isNone && reasons[cause]) || "it is no address of this machine"}.`,
    `Choose another address with ${setting}.`,
  );
}
