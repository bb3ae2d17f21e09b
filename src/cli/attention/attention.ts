import { mostListed } from "../../contract/limits.ts";
import { asPerson, type Person } from "../acting/acting.ts";
import { quietApi } from "../connection/quiet-api.ts";
import { untilSome, waitSeconds } from "../connection/waiting.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand, serverFlag } from "../frame/command.ts";
import { typedAt } from "../frame/suggest.ts";
import { keyFor } from "../../client/machine/servers.ts";
import { attentionText } from "./attention-text.ts";

export default defineCommand({
  summary: "List what needs you, with the command that answers it",
  acts: "person",
  args: {
    wait: {
      type: "string",
      valueHint: "SECONDS",
      description: "Wait until something needs you, at most an hour.",
    },
    ...serverFlag,
  },
  details:
    "One list over all of your boards on a server: asks, messages that wait for your reply, mentions, pairing requests, machines that ask for a key in your name, and agents of yours that wait, are silent, late or in a loop. The most urgent and oldest come first. Nothing on an archived board is listed.",
  examples: [
    ["attention", "What needs you now."],
    ["attention --wait 600", "Wait ten minutes for the first thing."],
  ],
  seeAlso: ["attention snooze", "attention dismiss", "ask", "status"],
  async run({ args, data: cli }) {
    const seconds = args.wait === undefined ? 0 : waitSeconds("--wait", args.wait);
    const person = await asPerson(cli, args);
    const { server } = person;
    const now = await person.api.call("getAttention", { query: { limit: mostListed } });
    const waits = seconds > 0 && now.items.length === 0;
    const list = (waits ? await firstItems(cli, person, seconds) : null) ?? now;
    const timedOut = seconds > 0 && list.items.length === 0;
    return {
      json: { server, ...list, timed_out: timedOut },
      text: attentionText(list, {
        url: server.url,
        now: cli.clock.now(),
        waited: timedOut ? seconds : 0,
        typed: typedAt(cli, server),
        typedAsItIs: cli.typed,
      }),
    };
  },
});

/** Waits for the first items. Null if there are none within the time. */
function firstItems(cli: Cli, { server }: Person, seconds: number) {
  const api = quietApi(cli, server, keyFor(cli, server)!);
  return untilSome(cli.clock, seconds, async (wait) => {
    const list = await api.call("getAttention", { query: { limit: mostListed, wait } });
    return list.items.length > 0 ? list : null;
  });
}
