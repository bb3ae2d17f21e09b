import { asAgentOrPerson } from "../acting.ts";
import { agentFlags, defineCommand, serverFlag } from "../command.ts";
import { readerOf } from "../pairing/whose.ts";
import { pairingRows } from "../render/pairing.ts";
import { counted } from "../table.ts";
import { typedWith } from "../typed-again.ts";

export default defineCommand({
  summary: "List your pairing requests",
  acts: "either",
  args: { ...agentFlags, ...serverFlag },
  details:
    "Those of the last seven days, oldest first: a person's own on all boards, or on the one of `--board`; an agent's person's on its board.",
  seeAlso: ["pairing show", "pairing request", "pairing decline"],
  async run({ args, data: cli }) {
    const actor = await asAgentOrPerson(cli, args);
    const { requests: all } = await actor.api.call("listPairingRequests");
    const requests =
      args.board === undefined || actor.kind === "agent"
        ? all
        : all.filter(({ display }) => display?.boards[0]?.name === args.board);
    const typed = typedWith(cli, { as: args.as, server: args.server });
    const on = all.length > requests.length ? ` on ${args.board}` : "";
    return {
      json: { server: actor.server, requests },
      text: requests.length
        ? `${counted(requests.length, "pairing request", "pairing requests")}:\n${pairingRows(requests, await readerOf(actor))}\nOne of them: ${typed("pairing show ID")}`
        : `No pairing requests${on}. ${typed("pairing request @handle WORK")} makes one.`,
    };
  },
});
