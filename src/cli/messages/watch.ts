import { mostListed } from "../../contract/limits.ts";
import { asPerson, boardOf, type Person } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { boardFlags, defineCommand } from "../frame/command.ts";
import { follow, type Followed, type Follower } from "./watch-loop.ts";
import { generationOf } from "../connection/generation.ts";
import { quietApi } from "../connection/quiet-api.ts";
import { messageBlock } from "./message-text.ts";
import type { Message } from "./message-types.ts";
import { keyFor, type ServerRef } from "../../client/machine/servers.ts";
import { handle, integer } from "../frame/values.ts";

/** How often `watch` looks whether somebody still reads what it prints. */
const lookEveryMs = 500;

export default defineCommand({
  summary: "Follow a board's messages, as a person",
  acts: "person",
  args: {
    from: { type: "string", valueHint: "NAME", description: "Only this member's messages." },
    role: { type: "string", description: "Only those of senders with this role." },
    limit: {
      type: "string",
      valueHint: "N",
      description: `How many of the newest come first (20; 0 to ${mostListed}).`,
    },
    ...boardFlags,
  },
  details:
    "A board's newest messages, then each new one until Ctrl-C. With `--json` one object a line. It moves no read position.",
  examples: [["watch --board docs --from rex", "Follow what rex says on docs."]],
  seeAlso: ["read", "boards"],
  async run({ args, data: cli }) {
    cli.system.onSignal("SIGINT", () => cli.system.exit(0));
    const limit = integer("--limit", args.limit ?? "20", 0, mostListed);
    const filter = {
      ...(args.from && { from: handle(args.from) }),
      ...(args.role && { role: args.role }),
    };
    const person = await asPerson(cli, args);
    const name = await boardOf(cli, person, args);
    // Asked for before the head is read, so that a restore in between is noticed.
    const generation = await generationOf(person.api);
    const { id, head_seq } = await person.api.call("getBoard", { params: { board: name } });
    const newest = await newestOf(person, name, filter, limit);
    const position = Math.max(head_seq, newest.at(-1)?.seq ?? 0);
    const unread = new AbortController();
    const follower = printer(cli, name, person.server, () => unread.abort());
    for (const message of newest) await follower.shown(message);
    void untilLeft(cli, unread);
    const followed = { board: { id, name }, filter, position, generation };
    const api = streamingApi(cli, person.server);
    await follow(api, followed, follower, unread.signal).finally(() => unread.abort());
  },
});

/** Aborts when the reader of stdout has gone away, as `head` does: the next message may be hours away. */
async function untilLeft({ stdout, clock }: Cli, unread: AbortController): Promise<void> {
  while (!unread.signal.aborted && !(await stdout.isLeft())) await clock.sleep(lookEveryMs);
  unread.abort();
}

async function newestOf(
  { api }: Person,
  board: string,
  filter: Followed["filter"],
  limit: number,
): Promise<Message[]> {
  if (limit === 0) return [];
  const query = { ...filter, newest: true, limit };
  return (await api.call("listMessages", { params: { board }, query })).messages;
}

const streamingApi = (cli: Cli, server: ServerRef) => quietApi(cli, server, keyFor(cli, server)!);

/** Prints each message as a line of JSON, or as text with empty lines between. On a terminal it reports lost connections. */
function printer(cli: Cli, board: string, { url }: ServerRef, gone: () => void): Follower {
  const say = cli.stderr.isTerminal() ? cli.note : () => {};
  let between = "";
  say(`Watching ${board} at ${url}. Ctrl-C stops.`);
  return {
    async shown(message) {
      const output = cli.json ? { board, message } : between + messageBlock(message, "person");
      between = "\n";
      if (!(await cli.print(output))) gone();
    },
    connected: (there) =>
      say(there ? "Connected again." : `${url} does not answer. Trying again until it does.`),
    restored: (position) =>
      say(`The server was restored from a backup: ${board} goes on after #${position}.`),
  };
}
