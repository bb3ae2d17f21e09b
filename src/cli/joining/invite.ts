import { asPerson, boardOf, type Person } from "../acting/acting.ts";
import {
  boardFlags,
  defineCommand,
  type Answer,
  type Args,
  type Parsed,
} from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";
import type { Cli } from "../frame/cli.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import { ownAgentOn } from "../pairing/initiator.ts";
import { absoluteProgram } from "../frame/program-name.ts";
import { policyNotice } from "../boards/policy-text.ts";
import { when } from "../terminal/time-text.ts";
import { bold } from "../terminal/style.ts";
import { typedAt } from "../frame/suggest.ts";
import { duration, handle } from "../frame/values.ts";

const args = {
  role: {
    type: "string",
    valueHint: "ROLE",
    description:
      "The agent's role (else reviewer on a writer-reviewer board, member on any other).",
  },
  ttl: {
    type: "string",
    valueHint: "DURATION",
    description:
      "How long it works: 1m to 168h (default 24h); with --person 1m to 720h (default 168h, with --pairing 24h).",
  },
  guest: {
    type: "string",
    valueHint: "HANDLE",
    description: "For one guest from outside the server; HANDLE will be their name.",
  },
  person: { type: "boolean", description: "Invite a person to the server (for admins)." },
  pairing: {
    type: "string",
    valueHint: "WORK",
    description: "With --person and one --board: what their session is asked to work on.",
  },
  agent: {
    type: "string",
    valueHint: "NAME",
    description: "With --pairing: your agent that the session works with (else your only one).",
  },
  board: {
    ...boardFlags.board,
    multiple: true,
    description:
      "The board. With --person: a board for the person to be on from the start; may be repeated.",
  },
  server: boardFlags.server,
} as const satisfies Args;
type Given = Parsed<typeof args>;

export default defineCommand({
  summary: "Make a join line for agents or a guest, or invite a person",
  acts: "person",
  args,
  details:
    "Makes a join line for your own agents. It works any number of times. With --guest: makes a join line for one guest, which works once. The guest can read and post on that board, and nothing else. With --person: makes a link with which one person joins the server. It works once. --pairing also asks for a session of that person to work with an agent of yours; they have 24 hours to answer.",
  examples: [
    ["invite --board docs", "A line for another agent of yours."],
    ["invite --guest ada --board docs", "A line for Ada, a guest on docs only."],
    ["invite --person --board docs", "A link for a colleague, who is on docs from the start."],
    [
      'invite --person --board docs --pairing "Review it"',
      "The link also asks for a session of theirs.",
    ],
  ],
  seeAlso: ["join", "connect", "board add"],
  async run({ args, data: cli }) {
    refuseMixed(args);
    const longest = args.person ? "720h" : "168h";
    const ttl = args.ttl ? duration("--ttl", args.ttl, "1m", longest) : undefined;
    const person = await asPerson(cli, args);
    if (args.person) return invitePerson(cli, person, args, ttl);
    return inviteAgent(cli, person, args, ttl);
  },
});

function refuseMixed({ person, guest, role, board, pairing, agent }: Given): void {
  if (person && guest !== undefined)
    throw usageError(
      "A guest comes onto one board, a person onto the server.",
      "Give `--guest` or `--person`.",
    );
  if (person && role !== undefined)
    throw usageError("`--role` is for agents.", "An invited person becomes a member.");
  if (pairing !== undefined && (!person || new Set(board).size !== 1 || !pairing.trim()))
    throw usageError(
      "A pairing is asked for with `--person`, one `--board` and a text.",
      'Write `service invite --person --board BOARD --pairing "WORK"`.',
    );
  if (agent !== undefined && pairing === undefined)
    throw usageError("`--agent` goes with `--pairing`.", "Leave it out.");
  if (!person && board.length > 1)
    throw usageError("One code is for one board.", "Give one `--board`.");
}

async function inviteAgent(
  cli: Cli,
  person: Person,
  chosen: Given,
  ttl: number | undefined,
): Promise<Answer> {
  const { api, server } = person;
  const guest = chosen.guest === undefined ? undefined : handle(chosen.guest);
  const name = await boardOf(cli, person, { board: chosen.board[0] });
  const board = await api.call("getBoard", { params: { board: name } });
  const role = chosen.role ?? (board.template === "writer-reviewer" ? "reviewer" : "member");
  const { id, join_line, expires_at } = await api.call("createJoinCode", {
    params: { board: name },
    body: { role, ...(ttl && { ttl_seconds: ttl }), ...(guest !== undefined && { guest }) },
  });
  const until = when(expires_at);
  // A guest is on another machine, where the program is not at this machine's path.
  const prompt = promptOf(join_line, guest === undefined ? absoluteProgram(cli) : "service");
  const code = { id, server, board: name, role, join_line, prompt, expires_at };
  const text = (title: string, notes: readonly string[]) =>
    [title, ...notes, "", prompt, "", revokeLine(cli, server, id)].join("\n");
  if (guest !== undefined)
    return {
      json: { ...code, guest },
      text: text(
        `A code with which @${guest}, and nobody else, comes onto board ${name} at ${server.url} once, until ${until}:`,
        onlyHere(cli, server),
      ),
    };
  return {
    json: { ...code, policy_notice: policyNotice(board.policy) },
    text: text(
      `A code for agents of yours on board ${name} at ${server.url}, role ${role}, until ${until}:`,
      [],
    ),
  };
}

/** The join line, and instructions for the agent that gets it. Its person runs the command: in a session it would take a daemon. */
const promptOf = (line: string, program: string) =>
  `${line}\nJoin it: your person runs \`${program} join "${line}"\` in a terminal, then you act with the \`--as NAME\` that it prints, read its charter, and greet the others on the board.`;

async function invitePerson(
  cli: Cli,
  { api, server }: Person,
  given: Given,
  ttl: number | undefined,
): Promise<Answer> {
  const boards = await Promise.all(
    [...new Set(given.board)].map((board) => api.call("getBoard", { params: { board } })),
  );
  const ids = boards.map(({ id }) => id);
  const pairing = given.pairing === undefined ? null : await pairingWith(api, given);
  // A pairing request lasts a day, so an invitation to one lasts no longer unless somebody says so.
  const seconds = ttl ?? (pairing ? 86_400 : undefined);
  const { id, invite, expires_at, pairing_request_id } = await api.call("createServerInvite", {
    body: {
      ...(seconds && { ttl_seconds: seconds }),
      ...(ids.length && { boards: ids }),
      ...(pairing && { pairing: pairing.body }),
    },
  });
  const link = `${server.url}/join#${invite}`;
  return {
    json: {
      id,
      server,
      link,
      expires_at,
      boards: boards.map(({ name }) => name),
      ...(pairing_request_id && { pairing_request_id }),
    },
    text: [
      `An invitation to ${server.url} for one person, until ${when(expires_at)}:`,
      bold(link),
      `They accept it with: service connect '${link}'`,
      ...(pairing
        ? [
            `A session of theirs is asked to work with ${pairing.agent}. Its state: ${typedAt(cli, server)(`pairing show ${pairing_request_id}`)}`,
          ]
        : []),
      ...onlyHere(cli, server),
      revokeLine(cli, server, id),
    ].join("\n"),
  };
}

const revokeLine = (cli: Cli, server: ServerRef, id: string): string =>
  `Take it back: ${typedAt(cli, server)(`invite revoke ${id}`)}`;

async function pairingWith(api: Person["api"], given: Given) {
  const { id, name } = await ownAgentOn(api, given.board[0]!, "--agent", given.agent);
  return { agent: name, body: { initiating_agent_id: id, work: given.pairing! } };
}

/** A server without https can be reached only from its own machine, so nobody elsewhere can use an invitation to it. */
const onlyHere = (cli: Cli, { url }: ServerRef): string[] =>
  url.startsWith("http:")
    ? [
        `This server can be reached only from this machine. For people elsewhere, run a server for a team: ${cli.typed("help serve")}`,
      ]
    : [];
