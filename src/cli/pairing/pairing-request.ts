import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { initiatorOf } from "./initiator.ts";
import { when } from "../terminal/time-text.ts";
import { handleMeant } from "../acting/handle-meant.ts";
import { typedAt, typedWith } from "../frame/suggest.ts";

export default defineCommand({
  summary: "Ask that a person's session works with an agent of yours",
  acts: "either",
  args: {
    person: { type: "positional", valueHint: "@HANDLE", description: "@handle, or me." },
    work: {
      type: "positional",
      description: "What the two are to work on, in quotes; at most 4000 characters.",
    },
    as: {
      ...agentFlags.as,
      description: "The agent of yours that the session is to work with (else your only one).",
    },
    board: agentFlags.board,
    ...serverFlag,
  },
  details:
    "Asks that a session of the person works with your agent on its board. A person who is not on the board is added as a member, if you may add people. They have 24 hours to answer, and you get no control over their session.",
  examples: [
    ['pairing request @grace "Review the parser" --board docs', "Grace's session with your agent."],
    ['pairing request me "Write the tests" --as rex', "Another session of yours with rex."],
  ],
  seeAlso: ["pairing", "pairing cancel", "allowance"],
  async run({ args, data: cli }) {
    if (!args.work.trim())
      throw usageError(
        "There is no text.",
        'Say what the two are to work on: `service pairing request @handle "WORK"`.',
      );
    const { isAgent, api, server, board, agent } = await initiatorOf(cli, args);
    const query = { handle: await handleMeant(api, args.person) };
    // With a handle the answer is that one person.
    const recipient = (await api.call("listServerPeople", { query })) as {
      id: string;
      handle: string;
    };
    const request = await api.call("createPairingRequest", {
      body: {
        board_id: board.id,
        recipient_id: recipient.id,
        initiating_agent_id: agent.id,
        work: args.work,
      },
    });
    const typed = isAgent ? typedWith(cli, args) : typedAt(cli, server);
    return {
      json: { server, board: board.name, agent: agent.name, request },
      text: `Asked @${recipient.handle} to work with ${agent.name} on ${board.name}, until ${when(request.expires_at)}: ${request.id}\nIts state: ${typed(`pairing show ${request.id}`)}`,
    };
  },
});
