import { buildName } from "../../client/build-info.ts";
import { oneLine } from "../terminal/clean.ts";
import { columns } from "../terminal/table.ts";
import type { Failure } from "../frame/output.ts";
import type { Status } from "./gather-status.ts";
import type { StatusSeat } from "./status-seats.ts";
import { subagentRows } from "./subagent-status.ts";
import { midturnLine } from "../agents/midturn-text.ts";
import { lineText } from "../agents/status-line-text.ts";

const sources = {
  flag: "from the command line",
  env: "from the environment",
  session: "of this session",
  agent: "the agent's",
  only: "your only one",
  none: "",
} as const;

function daemonText({ daemon }: Status): string {
  if (daemon.silent) return `does not answer (process ${daemon.pid ?? "unknown"})`;
  if (!daemon.running) return "not running";
  const { open_sessions: open, stalled = 0 } = daemon;
  const sessions = open === 1 ? "1 open session" : `${open} open sessions`;
  const waits = stalled === 0 ? "" : `, ${stalled} stalled`;
  const before = daemon.replaced ? `, replaced ${buildName(daemon.replaced.from)}` : "";
  return `running, ${sessions}${waits}${before}`;
}

/** The agents that the daemon no longer delivers to, each with the reason. */
const stoppedRows = ({ daemon }: Status): string[][] =>
  (daemon.stopped_agents ?? []).map(({ name, board, reason }) => [
    "",
    `${name} on ${board} gets nothing: ${reason}`,
  ]);

function setupText({ setup }: Status, typedHere: (text: string) => string): string {
  const parts = [
    ...(setup.global.length > 0 ? [`${setup.global.join(", ")} (all sessions)`] : []),
    ...(setup.project.length > 0 ? [`${setup.project.join(", ")} (in this folder)`] : []),
  ];
  return parts.join(", ") || typedHere("no harness: `service init` sets them up");
}

/** The status as text: a row for each fact, then reminders. `typedHere` writes commands in a text as they can be typed. */
export function statusText(status: Status, typedHere: (text: string) => string): string {
  const rows = columns([
    ["Server", serverText(status)],
    ...failureRows("", status.server_error, typedHere),
    ...failureRows("Access", status.access_error, typedHere),
    ["Daemon", daemonText(status)],
    ...stoppedRows(status),
    ["Setup", setupText(status, typedHere)],
    ...(status.seats
      ? status.seats.map((seat, i) => [i === 0 ? "Seats" : "", seatText(seat, status.server)])
      : [
          ["Board", chosen(status.board, sources[status.board_source])],
          ["Agent", agentText(status)],
        ]),
    ...(status.line ? [["", lineText(status.line, status.state)]] : []),
    ...taskRow(status),
    ...(status.delivery
      ? [
          [
            "",
            `${status.delivery}${status.delivery_unconfirmed ? " (kept on this machine)" : ""}: ${status.delivery_rule}`,
          ],
        ]
      : []),
    ...(status.midturn ? [["", midturnLine(status.midturn.policy, status.midturn.source)]] : []),
    ...subagentRows(status.subagent),
    ...(status.attention ? [["Needs you", attentionText(status.attention, typedHere)]] : []),
    ["Agents here", status.agents.join(", ") || "none"],
    ...(status.policy ? [["Policy", policyText(status.policy)]] : []),
    ...(status.people ? [["People", status.people.map(personText).join(", ")]] : []),
  ]);
  return [rows, ...status.nudges.map(({ text }) => text)].join("\n");
}

const failureRows = (
  title: string,
  failure: Failure | undefined,
  typedHere: (text: string) => string,
): string[][] =>
  failure
    ? [
        [title, typedHere(failure.message)],
        ["", typedHere(failure.hint)],
      ]
    : [];

/** What an agent works on, unless its status line says so. */
const taskRow = ({ current_task: task, line }: Status): string[][] =>
  task && task.id !== line?.task?.id
    ? [["", `on ${oneLine(task.ref)}: ${oneLine(task.title)}`]]
    : [];

function serverText(status: Status): string {
  const { server, server_running, server_build: build, sandbox_blocks_network } = status;
  const state = sandbox_blocks_network
    ? "unknown: this sandbox blocks the network"
    : server_running
      ? `running${build ? `, version ${oneLine(buildName(build))}` : ""}`
      : server.name === "local"
        ? status.server_error
          ? "not reached"
          : "not running"
        : "does not answer";
  return `${server.url} (${server.name === "local" ? "local, " : ""}${state})`;
}

/** An agent's seat on a board and what is known about it, with the server if it is another one. */
function seatText(
  { server, name, board, role, delivery, unread, presence }: StatusSeat,
  shown: Status["server"],
): string {
  const known = [role, delivery, unread === null ? null : `${unread} unread`, stateText(presence)];
  const where = server === shown.name ? board : `${board} at ${server}`;
  return `${name} on ${where} (${known.filter(Boolean).join(", ") || "unknown"})`;
}

const stateText = (presence: string | null) =>
  presence === "no_session" ? "disconnected" : presence;

function agentText({ agent, agent_source, presence }: Status): string {
  const state = stateText(presence);
  return chosen(agent, [sources[agent_source], state].filter(Boolean).join(", "));
}

const attentionText = (
  { now, later }: NonNullable<Status["attention"]>,
  typedHere: (text: string) => string,
): string =>
  now + later === 0
    ? "nothing"
    : `${now} now, ${later} later: ${typedHere("`service attention` lists them")}`;

const policyText = ({ preset, nudges }: NonNullable<Status["policy"]>): string =>
  nudges === "off" ? `${preset}, reminders off` : preset;

const chosen = (name: string | null, note: string) =>
  name === null ? "none selected" : `${name} (${note})`;

const personText = ({ name, access }: { name: string; access: string | null }) =>
  access === "admin" ? `${name} (owner)` : name;
