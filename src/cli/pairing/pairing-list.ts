import { sessionOf, type NamedSession } from "../../client/machine/harness.ts";
import { seatsOfSession } from "../acting/acting.ts";
import { askForSession, serverForSession, sessionForSeat } from "../acting/in-session.ts";
import type { Cli } from "../frame/cli.ts";
import { typedWith } from "../frame/suggest.ts";
import type { Actor } from "../acting/acting.ts";
import { agentFlags, defineCommand, serverFlag, type Answer } from "../frame/command.ts";
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
  async run({ args, data: cli }) {
    const isNamed = Boolean(args.as ?? cli.env["SERVICE_AGENT"]);
    const session = isNamed || seatsOfSession(cli).length > 0 ? null : sessionOf(cli.env);
    if (session !== null) return listForSession(cli, session, args);
    return listEveryServer<Pairings>(cli, args, {
      none: { requests: [], reader: "" },
      read: (actor) => pairings(actor, args.board),
      isEmpty: ({ requests }) => requests.length === 0,
      text: (typed, group) => pairingsText(typed, group, args.board),
      json: ({ reader: _, ...group }) => group,
    });
  },
});

/** Lists the requests of its person for a session without a seat, so that it knows which board to join. */
async function listForSession(
  cli: Cli,
  session: NamedSession,
  {
    board,
    server: named,
  }: { readonly board?: string | undefined; readonly server?: string | undefined },
): Promise<Answer> {
  sessionForSeat(cli, "session_unknown");
  const server = await serverForSession(cli, named);
  const request = { op: "pairing", server: server.name, pairing_action: "list" } as const;
  const { pairings = [], person = "" } = await askForSession(cli, session, request);
  const requests = pairings.filter(
    ({ display }) => board === undefined || display?.boards[0]?.name === board,
  );
  const typed = typedWith(cli, { server: named });
  return {
    json: { server, requests },
    text: pairingsText(typed, { server, requests, reader: person }, board),
  };
}

async function pairings(actor: Actor, board: string | undefined): Promise<Pairings> {
  const { requests } = await actor.api.call("listPairingRequests");
  // An agent's list has its own board alone.
  const isMeant = ({ display }: (typeof requests)[number]) =>
    board === undefined || actor.kind === "agent" || display?.boards[0]?.name === board;
  const meant = requests.filter(isMeant);
  return { requests: meant, reader: meant.length > 0 ? await readerOf(actor) : "" };
}
