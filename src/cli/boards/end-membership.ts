import type { OutputOf } from "../../contract/index.ts";
import type { Person } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { confirmed } from "../frame/questions.ts";
import { counted, someOf } from "../terminal/table.ts";
import { forgetSeats } from "../../client/machine/seats.ts";

type BoardPerson = OutputOf<"leaveBoard">;

/** A membership that a command ends: whose it is, and how it ends. */
interface Ending {
  readonly handle: string;
  readonly whose: "Your" | "Their";
  /** What is about to happen, as the beginning of the question. */
  readonly doing: string;
  end(): Promise<BoardPerson>;
}

/**
 * Ends a membership, and forgets the seats on this machine that ended with it. Asks first, with what ends, unless `yes`.
 * Gives the person, and the names of their agents that were on the board; null when the answer is no.
 */
export async function endMembership(
  cli: Cli,
  api: Person["api"],
  { board, yes }: { readonly board: string; readonly yes: boolean },
  { handle, whose, doing, end }: Ending,
): Promise<{ person: BoardPerson; agents: string[] } | null> {
  const { members } = await api.call("listMembers", { params: { board } });
  const agents = members.filter(({ kind, owner }) => kind === "agent" && owner === handle);
  const names = agents.map(({ name }) => name);
  // The server refuses to end what is not there: no question comes before that.
  const isThere = members.some(({ kind, name }) => kind === "human" && name === handle);
  if (isThere && !yes && !confirmed(cli, questionOf(whose, doing, names))) return null;
  const person = await end();
  forgetSeats(cli, (seat) => agents.some(({ id }) => id === seat.member_id));
  return { person, agents: names };
}

function questionOf(whose: Ending["whose"], doing: string, agents: readonly string[]): string {
  const own = whose.toLowerCase();
  const ended = agents.length
    ? `ends for good ${own} ${counted(agents.length, "agent", "agents")} there (${someOf(agents).join(", ")}), and stops ${own} join codes`
    : `stops ${own} join codes; ${own === "your" ? "you have" : "they have"} no agents there`;
  return `${doing} ${ended}. Go on?`;
}

/** The sentence about agents that ended with their person's membership. */
export const endedAgents = (whose: "Your" | "Their", agents: readonly string[]): string =>
  agents.length ? ` ${whose} agents there ended: ${agents.join(", ")}.` : "";
