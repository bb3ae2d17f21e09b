import { lstatSync } from "node:fs";
import { platform } from "node:os";
import { dirname } from "node:path";
import { buildInfo, isOlder } from "../../../client/build-info.ts";
import { profiles } from "../../../client/harnesses/index.ts";
import { daemonLog, daemonSocket } from "../../../client/machine/daemon-files.ts";
import type { DaemonAgent, DaemonStatus, Trouble } from "../../../client/machine/daemon-wire.ts";
import { inSandbox, networkBlocked } from "../../../client/machine/harness.ts";
import { shellWord } from "../../../contract/shell-word.ts";
import { counted } from "../../terminal/table.ts";
import type { Cli } from "../../frame/cli.ts";
import { daemonState } from "../../local-daemon/own-daemon.ts";
import { endSilent, lastFailure, silentDaemon, silentText } from "../../local-daemon/why-silent.ts";
import { failure, fine, refused, warning, type Check } from "./check.ts";

const name = "daemon";

/** The delivery daemon: who reaches its socket, whether it runs, and what it cannot deliver. Starts nothing. */
export async function checkDaemon(cli: Cli): Promise<Check[]> {
  const unsafe = checkSocket(cli);
  if (unsafe.length > 0) return unsafe;
  try {
    const status = await daemonState(cli);
    return status === null
      ? [await notRunning(cli)]
      : [running(cli, status), ...troublesOf(status)];
  } catch (error) {
    if (error instanceof Error && "hint" in error && !("exitCode" in error))
      return [
        warning({
          name,
          code: "daemon_outdated",
          message: `The daemon answers as another version of it would: ${error.message}`,
          fix: "`service down`; the next hook or command starts the daemon of this program.",
        }),
      ];
    return [refused(name, error)];
  }
}

function checkSocket({ folders, system }: Cli): Check[] {
  if (system.userId === undefined || !["linux", "darwin"].includes(platform()))
    return [
      failure({
        name,
        code: "peer_check_unavailable",
        message:
          "On this system the daemon cannot tell whose process connects to its socket, so it takes none.",
        fix: "Use a Linux or macOS machine, or have agents read with `service inbox --wait 60`.",
      }),
    ];
  const socket = daemonSocket(folders, system.userId);
  return [...new Set([folders.state, dirname(socket), socket])].flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return [];
    const isOwn = stats.uid === system.userId && !stats.isSymbolicLink();
    if (isOwn && (stats.mode & 0o077) === 0) return [];
    const mode = path === socket ? "600" : "700";
    return failure({
      name,
      code: "socket_unsafe",
      message: isOwn
        ? `Other users of this machine can use ${path}, and the daemon's socket must be yours alone.`
        : `${path} belongs to another user, or is a link.`,
      fix: isOwn
        ? `\`chmod ${mode} ${shellWord(path)}\``
        : `Move it away: \`mv ${shellWord(path)} ${shellWord(`${path}.old`)}\``,
    });
  });
}

async function notRunning(cli: Cli): Promise<Check> {
  if (networkBlocked(cli))
    return failure({
      name,
      code: "sandbox_blocks_network",
      message:
        "This command runs in a sandbox without network: whether the daemon runs cannot be told from here.",
      fix: "Run `service doctor` in a terminal.",
    });
  if (inSandbox(cli))
    return failure({
      name,
      code: "daemon_in_sandbox",
      message: "The daemon does not run, and a command in a sandbox cannot start it.",
      fix: `Run \`service daemon start\` in a terminal.${sandboxFixes(cli)}`,
    });
  const code = "daemon_not_running";
  const silent = await silentDaemon(cli);
  if (silent) return failure({ name, code, message: silentText(silent), fix: endSilent(silent) });
  const log = daemonLog(cli.folders);
  const failed = lastFailure(cli);
  if (failed)
    return failure({
      name,
      code,
      message: `It did not start the last time: ${failed.what}`,
      fix: failed.hint || `Its log is ${log}.`,
    });
  return fine(
    name,
    `Not running: a session's hook starts it. If messages do not arrive, its log says why: ${log}`,
  );
}

/** How each harness whose sandbox this is gets the daemon started outside of it. */
const sandboxFixes = ({ env }: Cli): string =>
  profiles
    .filter(({ marks }) => marks.sandbox.some((name) => env[name]))
    .map(({ marks: { sandboxFix } }) => (sandboxFix ? ` ${sandboxFix}` : ""))
    .join("");

function running(cli: Cli, { pid, build, open_sessions: open }: DaemonStatus): Check {
  if (isOlder(build, buildInfo))
    return warning({
      name,
      code: "daemon_outdated",
      message: `The daemon (process ${pid}) is ${build.version}, older than this program.`,
      fix: "`service down`; the next hook or command starts the new one.",
    });
  const log = daemonLog(cli.folders);
  return fine(
    name,
    `Running, process ${pid}, ${counted(open, "open session", "open sessions")}; its log is ${log}.`,
  );
}

/** What the daemon cannot deliver, each with what to do. */
function troublesOf({ agents, attention, stalled }: DaemonStatus): Check[] {
  return [
    ...agents.map(({ agent, reason }) =>
      failure({
        name,
        code: stopCodes.find((code) => code === reason) ?? "delivery_attention",
        message: `${textOf(agent)} gets nothing: ${reason}.`,
        fix: stopFix(agent, reason),
      }),
    ),
    ...attention.map((trouble) =>
      failure({
        name,
        code: harnessCodes.find((code) => code === trouble.reason) ?? "delivery_attention",
        message: `${waiting(trouble)} given up: ${trouble.reason}.`,
        fix: `Type something in that session, or take the agent up in another: \`service resume ${trouble.agent.name}\` there.`,
      }),
    ),
    ...stalled.map((trouble) =>
      warning({ name, code: "delivery_stalled", ...whyStalled(trouble) }),
    ),
  ];
}

/** Why messages get no turn, and what brings them. */
function whyStalled(trouble: Trouble): { message: string; fix: string } {
  const { reason } = trouble;
  if (reason === "paused")
    return {
      message: `${waiting(trouble)} handed to a session that its person stopped.`,
      fix: "Go on in that session: your next prompt brings them, and so does a message of yours.",
    };
  if (reason === "no_terminal")
    return {
      message: `${waiting(trouble)} not handed: no terminal shows the session.`,
      fix: "Resume the session in a terminal.",
    };
  return {
    message: `${waiting(trouble)} handed, and no turn began.`,
    fix: "Look at that session: a question may be open there. Its next turn brings them.",
  };
}

const stopCodes = ["board_gone", "handoff_failed", "server_unreachable"] as const;
const harnessCodes = ["codex_target_absent", "codex_subagent_target"] as const;

const textOf = ({ name: agent, board }: DaemonAgent): string => `${agent} on ${board}`;

const waiting = ({ agent, seqs }: Trouble): string =>
  `Messages for ${textOf(agent)} (${seqs.map((seq) => `#${seq}`).join(", ")}) were`;

function stopFix({ name: agent, board, server }: DaemonAgent, reason: string): string {
  if (reason === "server_unreachable") return `Check that ${server} answers: \`service servers\``;
  if (reason === "unauthorized")
    return `Its token no longer works. Give it a new seat: \`service invite --board ${shellWord(board)}\``;
  if (reason === "board_gone")
    return `Nothing brings that seat back. For a new one: \`service invite --board ${shellWord(board)}\`; its line says what the session runs.`;
  if (reason === "handoff_failed")
    return "The daemon cannot write its journal: its log says why. Look for free space, and for who may write its folder.";
  if (reason === "delivery_mode_unknown")
    return `Its server is newer than this program and holds a mode that only newer ones know. Upgrade this one, or set another mode: \`service delivery focused --as ${shellWord(agent)} --board ${shellWord(board)}\``;
  return "`service down`; the next hook starts the daemon anew.";
}
