import { asAgentOrPerson, boardOf } from "../acting/acting.ts";
import { agentFlags, defineCommand, serverFlag } from "../frame/command.ts";
import { handle } from "../frame/values.ts";

export default defineCommand({
  summary: "Add a person to a board",
  acts: "either",
  args: {
    person: { type: "positional", description: "@handle, or @me for yourself." },
    ...agentFlags,
    ...serverFlag,
  },
  details:
    "For people on the board; on an open board you may add yourself. An agent needs a session of its own and the right to add people.",
  examples: [["board add @ada --board docs", "Ada is on docs from now on."]],
  seeAlso: ["people", "board people", "invite"],
  async run({ args, data: cli }) {
    const actor = await asAgentOrPerson(cli, args);
    const board = await boardOf(cli, actor, args);
    const named = handle(args.person);
    const own = named === "me" ? await actor.api.call("getMe") : null;
    const person = await actor.api.call("addPerson", {
      params: { board },
      body: { handle: own ? (own.owner ?? own.name) : named },
    });
    const by = actor.kind === "agent" ? { by_agent: actor.seat.name } : {};
    return {
      json: { board, person, ...by },
      text: `@${person.handle} is on board ${board} at ${actor.server.url}.`,
    };
  },
});
