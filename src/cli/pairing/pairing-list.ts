import type { Actor } from "../acting/acting.ts";
import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";
import {
  allServersFlag,
  firstActor,
  readEveryServer,
  refuseServers,
  tellingGroups,
  typedFor,
} from "../connection/every-server.ts";
import { readerOf } from "./party-of.ts";
import { pairingsText, type Pairings } from "./pairing-text.ts";

export default defineCommand({
  summary: "List your pairing requests",
  acts: "either",
  args: {
    ...allServersFlag,
    ...agentFlags,
    board: { ...agentFlags.board, description: "Only those of this board." },
    ...serverFlag,
  },
  details:
    "Those of the last seven days, oldest first: a person's own on all boards, on every server this machine has a key for unless one is chosen; an agent's person's on its board.",
  seeAlso: ["pairing show", "pairing request", "pairing decline"],
  async run({ args, data: cli }) {
    refuseServers(cli, args);
    const actor = await firstActor(cli, args);
    const none: Pairings = { requests: [], reader: "" };
    const groups = await readEveryServer(cli, actor, args, none, (each) =>
      pairings(each, args.board),
    );
    const shown = tellingGroups(groups, args.board, ({ requests }) => requests.length === 0);
    const listed = groups.map(({ reader: _, ...group }) => group);
    return {
      json: {
        ...listed[0],
        ...((groups.length > 1 || args.allServers) && { servers: listed }),
      },
      text: shown
        .map((group) =>
          pairingsText(typedFor(cli, actor, group.server, { as: args.as }), group, args.board),
        )
        .join("\n\n"),
    };
  },
});

async function pairings(actor: Actor, board: string | undefined): Promise<Pairings> {
  const { requests } = await actor.api.call("listPairingRequests");
  // An agent is told of its own board alone.
  const isMeant = ({ display }: (typeof requests)[number]) =>
    board === undefined || actor.kind === "agent" || display?.boards[0]?.name === board;
  const meant = requests.filter(isMeant);
  return { requests: meant, reader: meant.length > 0 ? await readerOf(actor) : "" };
}
