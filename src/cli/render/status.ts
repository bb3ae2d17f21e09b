import { columns } from "../table.ts";
import type { Status } from "../status.ts";
import { midturnLine } from "./midturn.ts";
import { lineText } from "./line.ts";

const sources = {
  flag: "from the command line",
  env: "from the environment",
  agent: "the agent's",
  only: "your only one",
  none: "",
} as const;

/** The state of things, one line each. */
export function statusText(status: Status): string {
  return columns([
    ["Server", serverText(status)],
    ...[status.server_error, status.credential_error].flatMap((error) =>
      error
        ? [
            ["", error.message],
            ["", error.hint],
          ]
        : [],
    ),
    ["Daemon", "not running"],
    ["Board", chosen(status.board, sources[status.board_source])],
    ["Agent", agentText(status)],
    ...(status.line ? [["", lineText(status.line, status.state)]] : []),
    ...(status.delivery ? [["", `${status.delivery}: ${status.delivery_rule}`]] : []),
    ...(status.midturn ? [["", midturnLine(status.midturn.policy, status.midturn.source)]] : []),
    ["Agents here", status.agents.join(", ") || "none"],
    ...(status.policy ? [["Policy", policyText(status.policy)]] : []),
    ...(status.people ? [["People", status.people.map(personText).join(", ")]] : []),
  ]);
}

function serverText({ server, server_running, sandbox_blocks_network }: Status): string {
  const state = sandbox_blocks_network
    ? "cannot be told: this sandbox blocks the network"
    : server_running
      ? "running"
      : server.name === "local"
        ? "not running"
        : "does not answer";
  return `${server.url} (${server.name === "local" ? "local, " : ""}${state})`;
}

function agentText({ agent, agent_source, presence }: Status): string {
  const state = presence === "no_session" ? "disconnected" : presence;
  return chosen(agent, [sources[agent_source], state].filter(Boolean).join(", "));
}

const policyText = ({ preset, nudges }: NonNullable<Status["policy"]>): string =>
  nudges === "off" ? `${preset}, reminders off` : preset;

const chosen = (name: string | null, note: string) =>
  name === null ? "none selected" : `${name} (${note})`;

const personText = ({ name, access }: { name: string; access: string | null }) =>
  access === "admin" ? `${name} (owner)` : name;
