import type { OutputOf } from "../../contract/index.ts";
import type { Person } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { forgetSeats } from "../../client/machine/seats.ts";

type BoardPerson = OutputOf<"leaveBoard">;

/**
 * Ends a membership by `end`, and forgets the seats on this machine that ended with it. Gives the person, and the names
 * of their agents that were on the board.
 */
export async function endMembership(
  cli: Cli,
  api: Person["api"],
  board: string,
  end: () => Promise<BoardPerson>,
): Promise<{ person: BoardPerson; agents: string[] }> {
  const { members } = await api.call("listMembers", { params: { board } });
  const person = await end();
  const agents = members.filter(({ kind, owner }) => kind === "agent" && owner === person.handle);
  forgetSeats(cli, (seat) => agents.some(({ id }) => id === seat.member_id));
  return { person, agents: agents.map(({ name }) => name) };
}

/** The sentence about agents that ended with their person's membership. */
export const endedAgents = (whose: "Your" | "Their", agents: readonly string[]): string =>
  agents.length ? ` ${whose} agents there ended: ${agents.join(", ")}.` : "";
