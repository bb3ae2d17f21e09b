import { machineRequestsTo } from "../../db/attention.ts";
import type { Kind } from "./item.ts";

/**
 * Machines that ask for a key in the person's name. Anybody can ask, so all of them are one item: it says how many there
 * are and shows the newest.
 */
export const machineRequests: Kind = ({ tx, caller: { person } }) => {
  // Guests approve no machine.
  if (person.server_role === "guest") return { open: [] };
  const requests = machineRequestsTo(tx, person.row, person.handle);
  const newest = requests.at(-1);
  if (!newest) return { open: [] };
  const count = requests.length;
  return {
    open: [
      {
        kind: "machine_request",
        cause: newest.id,
        urgency: "later",
        at: newest.created_at,
        board: null,
        mark: String(count),
        show: () => ({
          from: null,
          title:
            count === 1
              ? "A machine asks for a key in your name"
              : `${count} machines ask for a key in your name`,
          text: `${count === 1 ? "It" : "The newest"} calls itself ${newest.label} and asks from ${newest.requested_from}. Approve it only if it is yours and shows you the code.`,
          ref: { until: newest.expires_at },
          actions: [{ name: "command", command: "service approve CODE" }],
        }),
      },
    ],
    changesAt: requests.map(({ expires_at }) => expires_at),
  };
};
