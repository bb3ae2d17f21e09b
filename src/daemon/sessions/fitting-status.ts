import type { DaemonStatus, Trouble } from "../../client/machine/daemon-wire.ts";

type Lists = Pick<DaemonStatus, "servers" | "agents" | "attention" | "stalled" | "bindings">;

/** The most bytes of a list, and of the bindings. Together they fit into one line of the protocol. */
const mostBytes = 12 * 1024;
const mostBindingBytes = 64 * 1024;
/** The most numbers of messages that a trouble names. */
const mostNamed = 100;

/** What of the lists of a status fits into an answer. Of bindings those of open sessions come first. */
export const fittingStatus = (lists: Lists): Lists => ({
  servers: fitting(lists.servers, mostBytes),
  agents: fitting(lists.agents, mostBytes),
  attention: fitting(lists.attention.map(shortened), mostBytes),
  stalled: fitting(lists.stalled.map(shortened), mostBytes),
  bindings: fitting(
    lists.bindings.toSorted((one, other) => Number(other.open) - Number(one.open)),
    mostBindingBytes,
  ),
});

const shortened = (trouble: Trouble): Trouble => ({
  ...trouble,
  seqs: trouble.seqs.slice(0, mostNamed),
});

/** The first of the entries that take no more than so many bytes together. */
function fitting<T>(entries: readonly T[], bytes: number): T[] {
  let left = bytes;
  return entries.filter((entry) => (left -= Buffer.byteLength(JSON.stringify(entry)) + 1) >= 0);
}
