import {
  asAgentOrPerson,
  asPerson,
  boardOf,
  type Actor,
  type AgentFlags,
  type BoardChoice,
  type Person,
  type PersonFlags,
} from "./acting.ts";
import type { Cli } from "../frame/cli.ts";

type Flags = PersonFlags & Pick<AgentFlags, "board">;

/** Acts as the person on the board that the flags choose. */
export async function personOnBoard(
  cli: Cli,
  flags: Flags,
  choice?: BoardChoice,
): Promise<Person & { readonly board: string }> {
  const person = await asPerson(cli, flags);
  return { ...person, board: await boardOf(cli, person, flags, choice) };
}

/** Acts as the selected agent on its board, else as the person on the board that the flags choose. */
export async function actorOnBoard(
  cli: Cli,
  flags: AgentFlags & PersonFlags,
): Promise<Actor & { readonly board: string }> {
  const actor = await asAgentOrPerson(cli, flags);
  return { ...actor, board: await boardOf(cli, actor, flags) };
}
