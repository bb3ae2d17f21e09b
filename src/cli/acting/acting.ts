import type { Client } from "../../client/client.ts";
import { apiOf, type Api } from "../connection/api.ts";
import { quietApi } from "../connection/quiet-api.ts";
import { shortList } from "../connection/short-list.ts";
import { noArchivedBoard, noBoard } from "./board-not-selected.ts";
import type { Cli } from "../frame/cli.ts";
import { LocalError, usageError } from "../../client/machine/local-error.ts";
import { inSession } from "../../client/machine/harness.ts";
import { hinted, hintedWith, words } from "../frame/suggest.ts";
import { nearest } from "../frame/nearest.ts";
import { ambiguous, boardAmbiguous } from "./ambiguous.ts";
import { sameServer, writtenOnce } from "../../client/machine/server-address.ts";
import { readSeats, type Seat } from "../../client/machine/seats.ts";
import { keyFor, localServer, selectServer, type ServerRef } from "../../client/machine/servers.ts";

/** An agent that acts: its seat, its server, and a client with its token. */
export interface Agent {
  readonly kind: "agent";
  readonly server: ServerRef;
  readonly api: Api;
  readonly seat: Seat;
  /** The board of the seat. */
  readonly board: string;
}
export interface Person {
  readonly kind: "person";
  readonly server: ServerRef;
  readonly api: Api;
}
export type Actor = Agent | Person;

export interface AgentFlags {
  readonly as?: string | undefined;
  readonly board?: string | undefined;
}
export interface PersonFlags {
  readonly server?: string | undefined;
}

export interface ActorFlags extends AgentFlags, PersonFlags {
  /** Whether the person acts in a command with which agents talk. */
  readonly me?: boolean | undefined;
}

/** An agent or a person on a board. */
export type Speaker = Actor & { readonly board: string };

/** How to choose a person's board when none is named: the only one with this lifecycle, or none if it must be `named`. */
export interface BoardChoice {
  readonly lifecycle?: "active" | "archived";
  readonly named?: boolean;
}

/** Acts as the agent that `--as` or SERVICE_AGENT names, else as the one of the session, on the board of its seat. */
export const asAgent = (cli: Cli, flags: AgentFlags): Agent => agentIn(cli, selectSeat(cli, flags));

/** The server of a seat. */
export const serverOfSeat = (cli: Cli, { server }: Seat): ServerRef =>
  server === "local" ? localServer(cli) : { name: server, url: server };

/** Acts as the agent of a seat. */
export function agentIn(cli: Cli, seat: Seat): Agent {
  const server = serverOfSeat(cli, seat);
  return { kind: "agent", server, seat, board: seat.board, api: apiOf(cli, server, seat.token) };
}

/** Acts as the person, with their key for the selected server. The local server is started when none runs. */
export async function asPerson(cli: Cli, flags: PersonFlags): Promise<Person> {
  const server = selectServer(cli, flags.server);
  const key = keyFor(cli, server) ?? (await firstKey(cli, server));
  return { kind: "person", server, api: apiOf(cli, server, key) };
}

/** The first start of the local server writes the first person's key. */
async function firstKey(cli: Cli, server: ServerRef): Promise<string> {
  if (server.name === "local") {
    const { ensureLocalServer } = await import("../local-server/local-server.ts");
    await ensureLocalServer(cli);
  }
  const key = keyFor(cli, server);
  if (key) return key;
  throw new LocalError(
    "login_required",
    `This machine has no key for ${server.url}.`,
    `Sign in with a key of yours: \`service login ${server.url}\`.`,
  );
}

/** A client of the actor for waits and for advice: it starts no server, and repeats no request. */
export const quietApiOf = (cli: Cli, actor: Actor): Client =>
  quietApi(
    cli,
    actor.server,
    actor.kind === "agent" ? actor.seat.token : keyFor(cli, actor.server)!,
  );

/** Whether an agent acts in a command that agents and people may run: one is selected, or the command runs in a session. */
export const isAgents = (cli: Cli, flags: AgentFlags): boolean =>
  Boolean(flags.as ?? cli.env["SERVICE_AGENT"]) || inSession(cli.env);

/** Acts as the selected agent if there is one, else as the person, but never as the person inside a session. */
export async function asAgentOrPerson(cli: Cli, flags: ActorFlags): Promise<Actor> {
  if (!isAgents(cli, flags)) return asPerson(cli, flags);
  if (flags.server)
    throw usageError("An agent acts on the server of its seat.", "Leave out `--server`.");
  return asAgent(cli, flags);
}

/** The board of a command: the agent's own, else `--board`, SERVICE_BOARD, or the only board of the person. */
export async function boardOf(
  cli: Cli,
  actor: Actor,
  flags: { readonly board?: string | undefined },
  choice: BoardChoice = {},
): Promise<string> {
  if (actor.kind === "agent") return actor.board;
  const named = flags.board ?? cli.env["SERVICE_BOARD"];
  if (named) return named;
  const { lifecycle = "active" } = choice;
  const { boards } = await shortList(actor.api, { lifecycle });
  if (boards.length === 1 && !choice.named) return boards[0]!.name;
  const names = boards.map(({ name }) => name);
  if (lifecycle === "archived") throw noArchivedBoard(names);
  const { server_role } = await actor.api.call("getMe");
  const archived = names.length
    ? []
    : (await shortList(actor.api, { lifecycle: "archived" })).boards;
  throw noBoard(names, archived.length, server_role === "guest");
}

/** Acts as the person on the board that the flags choose. */
export async function personOnBoard(
  cli: Cli,
  flags: PersonFlags & Pick<AgentFlags, "board">,
  choice?: BoardChoice,
): Promise<Person & { readonly board: string }> {
  const person = await asPerson(cli, flags);
  return { ...person, board: await boardOf(cli, person, flags, choice) };
}

/** Acts as the selected agent on its board, else as the person on the board that the flags choose. */
export async function actorOnBoard(
  cli: Cli,
  flags: ActorFlags,
): Promise<Actor & { readonly board: string }> {
  const actor = await asAgentOrPerson(cli, flags);
  return { ...actor, board: await boardOf(cli, actor, flags) };
}

/**
 * The seat of the selected agent. A name with seats on several boards needs `--board` or SERVICE_BOARD, and so does a
 * session with several seats.
 */
export function selectSeat(cli: Cli, flags: AgentFlags): Seat {
  const own = seatsOfSession(cli);
  const isOne = own.some(({ member_id }) => member_id === agentName(cli, flags));
  if (own.length > 1 && !isOne && boardName(cli, flags) === undefined) throw boardAmbiguous(own);
  return seatNamed(cli, flags);
}

/** The seat of the selected agent, whatever other seats the session has. */
export function seatNamed(cli: Cli, flags: AgentFlags): Seat {
  const chosen = seatsMeant(cli, flags);
  if (chosen.length === 1) return chosen[0]!;
  throw chosen.length ? ambiguous(chosen) : notSelected(cli, flags);
}

/** The seats that match the selected agent's name, board and server. Only one match lets a command act. */
export function seatsMeant(cli: Cli, flags: AgentFlags): Seat[] {
  const matching = matchingSeats(cli, flags);
  return matching.length > 1 ? onServer(cli, matching) : matching;
}

/** This machine's seats with the selected agent's name or id, else the session's, on the selected board if one is. */
export function matchingSeats(cli: Cli, flags: AgentFlags): Seat[] {
  const name = agentName(cli, flags);
  const board = boardName(cli, flags);
  if (name !== undefined)
    return seatsOn(cli, board).filter((seat) => seat.name === name || seat.member_id === name);
  return seatsOfSession(cli).filter((seat) => board === undefined || seat.board === board);
}

/** The seats that the session of this command holds, as far as their tokens are on this machine. */
export function seatsOfSession(cli: Cli): Seat[] {
  const held = cli.session?.seats ?? [];
  return readSeats(cli).filter(({ server, member_id }) =>
    held.some((one) => one.server === server && one.member_id === member_id),
  );
}

const agentName = (cli: Cli, flags: AgentFlags) =>
  (flags.as ?? cli.env["SERVICE_AGENT"])?.replace(/^@/, "");
/** The board that `--board` or SERVICE_BOARD names. */
export const boardName = (cli: Cli, flags: Pick<AgentFlags, "board">): string | undefined =>
  flags.board ?? cli.env["SERVICE_BOARD"];
/** This machine's seats, on a board if one is given. */
export const seatsOn = (cli: Cli, board: string | undefined) =>
  readSeats(cli).filter((seat) => !board || seat.board === board);

/** The seats on the server that SERVICE_SERVER names, if there are any: it distinguishes equal names on boards with equal names. */
const onServer = (cli: Cli, seats: Seat[]) => {
  const wanted = cli.env["SERVICE_SERVER"] ?? "";
  const addressOf = (name: string) => (name === "local" ? localServer(cli).url : writtenOnce(name));
  const there = seats.filter(({ server }) => sameServer(addressOf(server), addressOf(wanted)));
  return there.length ? there : seats;
};

/** What chooses a seat of this command's session among the others; nothing if it has no other. */
export function flagsOfSeat(cli: Cli, { board, name, member_id }: Seat): AgentFlags {
  const own = seatsOfSession(cli);
  if (own.length < 2) return {};
  const there = own.filter((seat) => seat.board === board);
  const alike = there.filter((seat) => seat.name === name);
  return {
    board,
    ...(there.length > 1 && { as: alike.length > 1 ? member_id : name }),
  };
}

/** The refusal when an agent must act and none of this machine is meant. `otherwise` says what else its reader can do. */
export function notSelected(cli: Cli, flags: AgentFlags, otherwise = ""): Error {
  const name = agentName(cli, flags);
  if (name === undefined && cli.session?.failure) return cli.session.failure;
  const board = boardName(cli, flags);
  const seats = seatsOn(cli, board);
  const where = board ? ` on board ${board}${flags.board ? "" : " (SERVICE_BOARD)"}` : "";
  const shown = seats.map((seat) => (board ? seat.name : `${seat.name} (${seat.board})`));
  const like =
    name === undefined
      ? null
      : nearest(
          name,
          seats.map((seat) => seat.name),
        );
  if (inSession(cli.env) && seats.length > 0)
    return new LocalError(
      "agent_not_selected",
      name
        ? `This machine has no agent ${name}${where}.`
        : cli.session
          ? `This session has no seat${where || " yet"}.`
          : "No agent is selected.",
      `${wayInSession(cli, board)}Ask your person which agent you are, then add \`--as NAME\` or set SERVICE_AGENT. Take no other's seat: two sessions with one seat take each other's messages.${otherwise}`,
      { board_source: flags.board ? "flag" : board ? "env" : "none" },
    );
  return new LocalError(
    "agent_not_selected",
    name
      ? `This machine has no agent ${name}${where}.${like === null ? "" : ` Did you mean ${like}?`}`
      : cli.session
        ? `This session has no seat${where || " yet"}.`
        : "No agent is selected.",
    (seats.length
      ? `${wayInSession(cli, board)}Add \`--as NAME\` or set SERVICE_AGENT; this machine's agents${where}: ${shown.join(", ")}.`
      : `${wayInSession(cli, board)}This machine has no agents${where} yet: ${wayToSeat(board)}, \`service join "LINE"\` takes a seat.`) +
      otherwise,
    {
      choices: [...new Set(seats.map((seat) => seat.name))].sort(),
      board_source: flags.board ? "flag" : board ? "env" : "none",
    },
  );
}

/** How a session gets a seat. */
function wayInSession(cli: Cli, board: string | undefined): string {
  if (cli.session === null) return "";
  const join = hinted({ words: words`join --board ${board ?? "NAME"}` });
  return `The session takes a seat with ${join} or \`service resume NAME\`, and makes a board with \`service pair\`. `;
}

const wayToSeat = (board: string | undefined): string =>
  board === undefined
    ? "`service pair` makes a board and one"
    : `${hintedWith({ board })("invite")} prints a join line for that board`;
