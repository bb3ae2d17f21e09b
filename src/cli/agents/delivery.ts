import type { OutputOf } from "../../contract/index.ts";
import { asAgent, type AgentFlags } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { agentFlags, defineCommand, type Answer } from "../frame/command.ts";
import { ownAgentOf } from "../acting/persons-agent.ts";
import { deliveryLine, type DeliveryMode } from "./delivery-mode-text.ts";

export default defineCommand({
  summary: "Show or set which messages wake an agent",
  acts: (args) => (args.mode ? "person" : "neutral"),
  args: {
    mode: {
      type: "positional",
      required: false,
      options: ["focused", "all", "humans", "off"],
      description: "The new mode. Leave it out to see the current one.",
    },
    ...agentFlags,
  },
  details: [
    "Which messages wake one of your agents. Only you can change it, in a terminal.",
    "focused (the default): messages that are from a person, addressed to the agent, mention it, reply to it, expect a reply or are urgent. Others wait for its next turn.",
    "all: every message.",
    "humans: messages from people. The messages of agents wait for the next of these.",
    "off: none. The agent reads them with `inbox`.",
  ].join("\n"),
  examples: [["delivery focused --as claude", "Wake claude only for messages that concern it."]],
  seeAlso: ["status"],
  run({ args, data: cli }) {
    return args.mode === undefined ? show(cli, args) : change(cli, args.mode, args);
  },
});

async function show(cli: Cli, chosen: AgentFlags): Promise<Answer> {
  const { api, board, seat } = asAgent(cli, chosen);
  const { delivery_mode, delivery_revision } = await api.call("getMe");
  const mode = delivery_mode ?? "focused";
  const revision = delivery_revision ?? 0;
  return answer({ board, agent: seat.name, mode, changed: false, revision });
}

async function change(cli: Cli, mode: DeliveryMode, chosen: AgentFlags): Promise<Answer> {
  const { person, ...params } = await ownAgentOf(cli, chosen);
  return answer(await person.api.call("setDeliveryMode", { params, body: { mode } }));
}

const answer = (delivery: OutputOf<"setDeliveryMode">): Answer => ({
  json: delivery,
  text: `${delivery.agent} on ${delivery.board}\n${deliveryLine(delivery.mode)}`,
});
