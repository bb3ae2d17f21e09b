import { actorOnBoard } from "../acting/acting.ts";
import { actorFlags, defineCommand } from "../frame/command.ts";
import { handleMeant } from "../acting/handle-meant.ts";

export default defineCommand({
  summary: "Add a person to a board",
  acts: "either",
  args: {
    person: { type: "positional", description: "@handle, or @me for yourself." },
    ...actorFlags,
  },
  details:
    "People on the board may add others; on an open board you may add yourself. An agent adds people from its own session, if its role gives it that right.",
  examples: [["board add @ada --board docs", "Ada is on docs from now on."]],
  seeAlso: ["people", "board people", "invite"],
  async run({ args, data: cli }) {
    const actor = await actorOnBoard(cli, args);
    const { api, server, board } = actor;
    const person = await api.call("addPerson", {
      params: { board },
      body: { handle: await handleMeant(api, args.person) },
    });
    const by = actor.kind === "agent" ? { by_agent: actor.seat.name } : {};
    return {
      json: { board, person, ...by },
      text: `@${person.handle} is on board ${board} at ${server.url}.`,
    };
  },
});
