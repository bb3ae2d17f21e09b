import { asPerson } from "../acting/acting.ts";
import { oneLine } from "../terminal/clean.ts";
import { defineCommand, serverFlag, yesFlag } from "../frame/command.ts";
import { confirmed } from "../frame/questions.ts";
import { span } from "../terminal/time-text.ts";
import { typedAt } from "../frame/suggest.ts";

export default defineCommand({
  summary: "Give another machine of yours the key that it asks for",
  acts: "person",
  args: {
    code: { type: "positional", description: "The code that the other machine shows." },
    refuse: { type: "boolean", description: "Refuse the request: the other machine gets no key." },
    ...yesFlag,
    ...serverFlag,
  },
  details:
    "Gives a key of its own to a machine that ran `connect URL --handle YOU`, so that it can act as you. Anybody can ask for that, under any machine name: approve only a code that you see on your own machine. Shows the request and asks you before it approves.",
  examples: [
    ["approve 7QK-M2X", "Let the machine that shows this code act for you."],
    ["approve 7QK-M2X --refuse", "That machine is not yours."],
  ],
  seeAlso: ["connect", "keys"],
  async run({ args, data: cli }) {
    const { api, server } = await asPerson(cli, args);
    const body = { code: args.code };
    const asked = await api.call("lookupMachineRequest", { body });
    const machine = oneLine(asked.label);
    const age = span(cli.clock.now() - Date.parse(asked.created_at));
    const question = [
      `A machine asks to act as @${asked.person.handle} at ${server.url}.`,
      `It calls itself ${machine}, which is only its claim, and asked ${age} ago${fromWhere(asked.requested_from)}.`,
      args.refuse
        ? "Refuse it?"
        : "Approve it only if it is yours and shows this code. Give it a key?",
    ].join("\n");
    if (!args.yes && !confirmed(cli, question))
      return {
        json: { server, request: asked, approved: false },
        text: `Nothing was decided.${args.refuse ? "" : ` To refuse it: ${typedAt(cli, server)(`approve ${args.code} --refuse`)}`}`,
      };
    const decide = args.refuse ? "refuseMachineRequest" : "approveMachineRequest";
    const request = await api.call(decide, { body });
    return {
      json: { server, request, approved: !args.refuse },
      text: args.refuse
        ? `Refused: the machine ${machine} gets no key at ${server.url}.`
        : `Approved: the machine ${machine} gets a key of its own at ${server.url}. Once it has it: ${typedAt(cli, server)("keys")}`,
    };
  },
});

/** From where a request came, as part of a sentence. A proxy on the server's machine hides it: then nothing is said. */
function fromWhere(address: string): string {
  const shown = oneLine(address);
  return shown === "" || /^(127\.|::1$|::ffff:127\.)/.test(shown) ? "" : ` from ${shown}`;
}
