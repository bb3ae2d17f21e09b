import { readFileSync, realpathSync } from "node:fs";

/**
 * How many connections are open to a listening Unix socket, or null where the system does not show it. Linux shows each one
 * under the path that the socket listens on, in the network that this process is in.
 */
export function connectionsTo(path: string): number | null {
  try {
    const real = realpathSync(path);
    const lines = readFileSync("/proc/net/unix", "utf8")
      .split("\n")
      .filter((line) => line.endsWith(` ${real}`));
    const states = lines.map((line) => line.split(/\s+/)[5]);
    return states.includes(listening) ? states.filter((one) => one === connected).length : null;
  } catch {
    return null;
  }
}

/** The states of a socket, as Linux writes them. */
const listening = "01";
const connected = "03";
