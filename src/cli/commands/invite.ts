import { asPerson, boardOf } from "../acting.ts";
import { boardFlags, defineCommand, type Answer } from "../command.ts";
import { usageError } from "../errors.ts";
import type { Cli } from "../cli.ts";
import type { Person } from "../acting.ts";
import { absoluteProgram } from "../program-name.ts";
import { policyNotice } from "../render/policy.ts";
import { when } from "../render/time.ts";
import { bold } from "../style.ts";
import { duration, handle } from "../values.ts";

export default defineCommand({
  acts: "person",
  args: {
    role: {
      type: "string",
      valueHint: "ROLE",
      description: "The agent's role (else the one its board pairs with, else member).",
    },
    ttl: {
      type: "string",
      valueHint: "DURATION",
      description: "How long it works: 1m to 168h (24h), with --person 1m to 720h (168h).",
    },
    guest: {
      type: "string",
      valueHint: "HANDLE",
      description: "For one guest from outside the server, by the handle they will have.",
    },
    person: { type: "boolean", description: "Invite a person to the server (for admins)." },
    board: {
      ...boardFlags.board,
      multiple: true,
      description: "The board. With --person: boards to be on from the start, repeatable.",
    },
    server: boardFlags.server,
  },
  details:
    "A join line with which agents of yours, and nobody else's, join the board, any number of times. With --guest: a line with which one guest, who then reads and posts there and does nothing else, joins it once. With --person: a link with which one person joins the server, once.",
  examples: [
    ["invite --board docs", "A line for another agent of yours."],
    ["invite --guest ada --board docs", "Ada, from elsewhere, on docs alone."],
    ["invite --person --board docs", "A link for a colleague, who is on docs from the start."],
  ],
  seeAlso: ["join", "connect", "board add"],
  async run({ args, data: cli }) {
    const person = await asPerson(cli, args);
    if (args.person && args.guest !== undefined)
      throw usageError(
        "A guest comes onto one board, a person onto the server.",
        "Give `--guest` or `--person`.",
      );
    if (args.person) return invitePerson(person, args);
    if (args.board.length > 1)
      throw usageError("One code is for one board.", "Give one `--board`.");
    return inviteAgent(cli, person, { ...args, board: args.board[0] });
  },
});

interface Chosen {
  readonly guest?: string | undefined;
  readonly role?: string | undefined;
  readonly ttl?: string | undefined;
}

async function inviteAgent(
  cli: Cli,
  { api, server, kind }: Person,
  chosen: Chosen & { readonly board?: string | undefined },
): Promise<Answer> {
  const ttl = chosen.ttl && duration("--ttl", chosen.ttl, "1m", "168h");
  const guest = chosen.guest && handle(chosen.guest);
  const name = await boardOf(cli, { api, server, kind }, chosen);
  const board = await api.call("getBoard", { params: { board: name } });
  const role = chosen.role ?? (board.template === "writer-reviewer" ? "reviewer" : "member");
  const { join_line, expires_at } = await api.call("createJoinCode", {
    params: { board: name },
    body: { role, ...(ttl && { ttl_seconds: ttl }), ...(guest && { guest }) },
  });
  if (guest) return guestAnswer({ server, board: name, role, guest, join_line, expires_at });
  const command = `${absoluteProgram(cli.env)} join "${join_line}"`;
  const prompt = `${join_line}\nJoin it by running \`${command}\`, read its charter, and greet the others on the board.`;
  return {
    json: {
      server,
      board: name,
      role,
      join_line,
      prompt,
      expires_at,
      policy_notice: policyNotice(board.policy),
    },
    text: `A code for agents of yours on board ${name} at ${server.url}, role ${role}, until ${when(expires_at)}:\n\n${prompt}`,
  };
}

interface GuestCode {
  readonly server: Person["server"];
  readonly board: string;
  readonly role: string;
  readonly guest: string;
  readonly join_line: string;
  readonly expires_at: string;
}

/** The guest has another machine, so the line is given to them as it is. */
function guestAnswer(code: GuestCode): Answer {
  const { server, board, guest, join_line, expires_at } = code;
  const prompt = `${join_line}\nRun: service join "${join_line}"`;
  return {
    json: { ...code, prompt },
    text: `A code with which @${guest}, and nobody else, comes onto board ${board} at ${server.url} once, until ${when(expires_at)}:\n\n${prompt}`,
  };
}

async function invitePerson(
  { api, server }: Person,
  chosen: Chosen & { readonly board: readonly string[] },
): Promise<Answer> {
  if (chosen.role !== undefined)
    throw usageError("`--role` is for agents.", "An invited person becomes a member.");
  const ttl = chosen.ttl && duration("--ttl", chosen.ttl, "1m", "720h");
  const boards = await Promise.all(
    chosen.board.map((board) => api.call("getBoard", { params: { board } })),
  );
  const ids = boards.map(({ id }) => id);
  const { invite, expires_at } = await api.call("createServerInvite", {
    body: { ...(ttl && { ttl_seconds: ttl }), ...(ids.length && { boards: ids }) },
  });
  const link = `${server.url}/join#${invite}`;
  return {
    json: { server, link, expires_at, boards: boards.map(({ name }) => name) },
    text: [
      `An invitation to ${server.url} for one person, until ${when(expires_at)}:`,
      bold(link),
      `They accept it with: service connect '${link}'`,
    ].join("\n"),
  };
}
