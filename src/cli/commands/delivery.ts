import { asAgent, asPerson, matchingSeats, selectSeat } from "../acting.ts";
import type { Cli } from "../cli.ts";
import { agentFlags, defineCommand, type Answer } from "../command.ts";
import { deliveryLine, type DeliveryMode } from "../render/delivery.ts";
import { handle } from "../values.ts";

export default defineCommand({
  acts: (args) => (args.mode ? "person" : "neutral"),
  args: {
    mode: {
      type: "positional",
      required: false,
      options: ["focused", "all", "humans", "off"],
      description: "The new mode. Without it: the present one.",
    },
    ...agentFlags,
  },
  details: "Which messages wake one of your agents. Changing it is for its person, in a terminal.",
  examples: [["delivery focused --as claude", "Wake claude only for what concerns it."]],
  seeAlso: ["status"],
  run({ args, data: cli }) {
    return args.mode === undefined ? show(cli, args) : change(cli, args.mode, args);
  },
});

interface Chosen {
  readonly as?: string | undefined;
  readonly board?: string | undefined;
}

async function show(cli: Cli, chosen: Chosen): Promise<Answer> {
  const { api, board, seat } = asAgent(cli, chosen);
  const { delivery_mode, delivery_revision } = await api.call("getMe");
  const mode = delivery_mode ?? "focused";
  return answer({
    board,
    agent: seat.name,
    mode,
    changed: false,
    revision: delivery_revision ?? 0,
  });
}

/** With `--as` and `--board` the agent may be one that lives on another machine. */
async function change(cli: Cli, mode: DeliveryMode, chosen: Chosen): Promise<Answer> {
  const elsewhere = chosen.as && chosen.board && matchingSeats(cli, chosen).length === 0;
  const seat = elsewhere ? null : selectSeat(cli, chosen);
  const { api } = await asPerson(cli, { server: seat?.server });
  const board = seat?.board ?? chosen.board!;
  const member = seat?.name ?? handle(chosen.as!);
  return answer(await api.call("setDeliveryMode", { params: { board, member }, body: { mode } }));
}

interface Delivery {
  readonly board: string;
  readonly agent: string;
  readonly mode: DeliveryMode;
  readonly changed: boolean;
  /** Position of the event that set the mode; 0 if none has. */
  readonly revision: number;
}

const answer = (delivery: Delivery): Answer => ({
  json: delivery,
  text: `${delivery.agent} on ${delivery.board}\n${deliveryLine(delivery.mode)}`,
});
