import { asPerson, matchingSeats, selectSeat, type AgentFlags, type Person } from "./acting.ts";
import type { Cli } from "./cli.ts";
import { handle } from "./values.ts";

/** An agent of the person's, as its person reaches it. */
export interface OwnAgent {
  readonly person: Person;
  readonly board: string;
  readonly member: string;
}

/** The selected agent and its person. With `--as` and `--board` it may be one that lives on another machine. */
export async function ownAgentOf(cli: Cli, flags: AgentFlags): Promise<OwnAgent> {
  const elsewhere = flags.as && flags.board && matchingSeats(cli, flags).length === 0;
  const seat = elsewhere ? null : selectSeat(cli, flags);
  return {
    person: await asPerson(cli, { server: seat?.server }),
    board: seat?.board ?? flags.board!,
    member: seat?.name ?? handle(flags.as!),
  };
}
