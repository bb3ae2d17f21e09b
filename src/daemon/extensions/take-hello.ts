import type { Harness, SessionDoor } from "../harnesses/harness.ts";
import { neededText, RequestRefused } from "../sessions/held/requests.ts";
import type { Peer, RawRequest } from "../socket/listen.ts";

/**
 * Makes the function that takes the lines of extensions. It gives false for a line that is of no extension's connection, and
 * for a hello while the daemon stops.
 */
export function createHellos(harnesses: readonly Harness[], door: SessionDoor) {
  const open = new WeakMap<Peer, (line: RawRequest) => void>();
  return (peer: Peer, line: RawRequest, isStopping: boolean): boolean => {
    const take = open.get(peer);
    if (take) take(line);
    else if (line["op"] !== "hello" || isStopping) return false;
    else open.set(peer, connect(peer, line));
    return true;
  };

  function connect(peer: Peer, hello: RawRequest): (line: RawRequest) => void {
    const name = neededText(hello, "harness");
    const found = harnesses.find(({ profile }) => profile.harness === name);
    if (found?.connect) return found.connect(peer, hello, door);
    throw new RequestRefused(
      "invalid_request",
      `This daemon takes no extension of ${name}.`,
      "Sessions of that harness are known by its hooks: `service init` sets them up.",
    );
  }
}
