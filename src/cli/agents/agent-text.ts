import type { OutputOf } from "../../contract/index.ts";
import { oneLine } from "../terminal/clean.ts";
import type { Group } from "../acting/every-server.ts";
import { bold } from "../terminal/style.ts";
import { columns } from "../terminal/table.ts";
import { lineText } from "./status-line-text.ts";
import { when } from "../terminal/time-text.ts";
import { commandLine } from "../frame/suggest.ts";

type Agent = OutputOf<"listOwnAgents">["agents"][number];

/** A person's agents on one server as a table. `board` is there when the list is limited to one board. */
export function agentsText(
  typed: (command: string) => string,
  { server: { url }, agents, error }: Group<{ readonly agents: readonly Agent[] }>,
  board: string | undefined,
): string {
  if (error) return `${url}: ${error.message}`;
  const where = board === undefined ? `at ${url}` : `on ${board} at ${url}`;
  return agents.length
    ? `Agents ${where}:\n${columns(agents.map(row))}`
    : `No agents of yours ${where}. Give one a seat: ${typed(board === undefined ? "pair" : commandLine({ words: "invite", flags: { board } }))}`;
}

const row = (agent: Agent): string[] => [
  bold(agent.name),
  agent.board,
  agent.state ?? "",
  ...sessionOf(agent),
  agent.line ? lineText(agent.line, agent.state) : "",
];

/** The harness and its last session, where that was, and when it was last active. */
function sessionOf({ location, harness }: Agent): string[] {
  if (!location) return [oneLine(harness ?? ""), "", ""];
  const { machine, folder, session_id, last_active } = location;
  const where = machine === undefined ? folder : `${machine}:${folder}`;
  return [oneLine(`${location.harness} ${session_id}`), oneLine(where), when(last_active)];
}
