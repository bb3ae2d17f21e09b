import { isWithin, plainAddress, type Network } from "../../contract/networks.ts";

/** Finds the address of a client. */
export type ClientAddress = (peer: string, forwardedFor: string | null) => string;

/**
 * Returns the function that finds a client's address: the other end of the connection or, if that end is a trusted proxy, the
 * rightmost address of `X-Forwarded-For` that is not trusted. What is left of that address was sent by the client itself. If
 * every address is trusted, or the first that counts is malformed, the connection's other end counts.
 */
export function clientAddressBehind(proxies: readonly Network[]): ClientAddress {
  const isTrusted = (address: string) => proxies.some((network) => isWithin(network, address));
  return (peer, forwardedFor) => {
    const end = plainAddress(peer);
    if (end === null || forwardedFor === null || !isTrusted(end)) return end ?? peer;
    for (const entry of forwardedFor.split(",").reverse()) {
      const address = plainAddress(entry.trim());
      if (address === null) return end;
      if (!isTrusted(address)) return address;
    }
    return end;
  };
}
