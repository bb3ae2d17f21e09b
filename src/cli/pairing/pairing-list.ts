import type { Actor } from "../acting/acting.ts";
import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";
import { allServersFlag, listEveryServer } from "../acting/every-server.ts";
import { readerOf } from "./party-of.ts";
import { pairingsText, type Pairings } from "./pairing-text.ts";

export default defineCommand({
  summary: "List your pairing requests",
  acts: "either",
  args: {
    ...allServersFlag,
    ...agentFlags,
    board: { ...agentFlags.board, description: "List only the requests on this board." },
    ...serverFlag,
  },
  details:
    "Lists the requests of the last seven days, oldest first: yours on all boards of every server that this machine has a key for, or of the server that you choose. An agent sees the requests of its person on its board.",
  seeAlso: ["pairing show", "pairing request", "pairing decline"],
  run: ({ args, data: cli }) =>
    listEveryServer<Pairings>(cli, args, {
      none: { requests: [], reader: "" },
      read: (actor) => pairings(actor, args.board),
      isEmpty: ({ requests }) => requests.length === 0,
      text: (typed, group) => pairingsText(typed, group, args.board),
      json: ({ reader: _, ...group }) => group,
    }),
});

async function pairings(actor: Actor, board: string | undefined): Promise<Pairings> {
  const { requests } = await actor.api.call("listPairingRequests");
  // An agent's list has its own board alone.
  const isMeant = ({ display }: (typeof requests)[number]) =>
    board === undefined || actor.kind === "agent" || display?.boards[0]?.name === board;
  const meant = requests.filter(isMeant);
  return { requests: meant, reader: meant.length > 0 ? await readerOf(actor) : "" };
}
