import type { OutputOf } from "../../contract/index.ts";
import { ApiError } from "../../client/client.ts";
import { keptMode, tellMode } from "../local-daemon/delivery-modes.ts";
import { asAgent, type AgentFlags } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { agentFlags, defineCommand, type Answer } from "../frame/command.ts";
import { ownAgentOf } from "../acting/persons-agent.ts";
import { deliveryLine } from "../../agent-text/delivery-rules.ts";
import type { DeliveryMode } from "../../contract/waking.ts";

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
  const named = { board, agent: seat.name, changed: false };
  try {
    const { delivery_mode, delivery_revision } = await api.call("getMe");
    return answer({ ...named, mode: delivery_mode ?? "focused", revision: delivery_revision ?? 0 });
  } catch (error) {
    const kept = error instanceof ApiError ? null : await keptMode(cli, seat);
    if (kept === null) throw error;
    return answer({ ...named, ...kept }, true);
  }
}

async function change(cli: Cli, mode: DeliveryMode, chosen: AgentFlags): Promise<Answer> {
  const { person, ...params } = await ownAgentOf(cli, chosen);
  const set = await person.api.call("setDeliveryMode", { params, body: { mode } });
  await tellMode(cli, person.server, set);
  return answer(set);
}

const answer = (delivery: OutputOf<"setDeliveryMode">, unconfirmed = false): Answer => ({
  json: { ...delivery, ...(unconfirmed && { unconfirmed }) },
  text: [
    `${delivery.agent} on ${delivery.board}`,
    deliveryLine(delivery.mode),
    ...(unconfirmed
      ? ["This is the mode that was kept on this machine: the server does not answer."]
      : []),
  ].join("\n"),
});
