import type { DaemonStatus } from "../../../client/machine/daemon-wire.ts";
import { shellWord } from "../../../contract/shell-word.ts";
import type { Cli } from "../../frame/cli.ts";
import { daemonState } from "../../local-daemon/own-daemon.ts";
import { fine, warning, type Check } from "./check.ts";
import { readManifest } from "../entries/manifest.ts";

const name = "delivery_mode";

/** The modes of delivery: each agent's server holds its own. Until that answers, the one counts that the daemon heard last. */
export async function checkMode(cli: Cli): Promise<Check[]> {
  // What keeps the daemon from answering is a finding of its own.
  const status = await daemonState(cli).catch(() => null);
  const checks = [...keptHere(cli), ...(status === null ? [] : unconfirmed(status))];
  return checks.length > 0
    ? checks
    : [fine(name, "Each agent's server holds its mode: `service delivery --as NAME` shows it.")];
}

/** A mode that this machine keeps counts only for servers that hold none, and those of this version hold one for each agent. */
function keptHere(cli: Cli): Check[] {
  const { delivery } = readManifest(cli);
  if (delivery === undefined) return [];
  return [
    warning({
      name,
      code: "delivery_mode_kept_here",
      message: `This machine keeps the mode ${delivery}, which counts only for servers that hold none.`,
      fix: `Set it for an agent where it counts: \`service delivery ${delivery} --as NAME\``,
    }),
  ];
}

/** The modes of agents in open sessions whose server the daemon does not reach. Those that it gave up are findings of its own. */
function unconfirmed({ agents, bindings, servers }: DaemonStatus): Check[] {
  const ended = agents.filter(({ reason }) => reason !== "server_unreachable");
  const gone = new Set(ended.map(({ agent }) => agent.member_id));
  const silent = new Set(servers.flatMap(({ url, connected }) => (connected ? [] : [url])));
  return bindings.flatMap(({ agent, open, mode }) => {
    if (!open || mode === undefined || !silent.has(agent.server) || gone.has(agent.member_id))
      return [];
    const words = `${shellWord(agent.name)} --board ${shellWord(agent.board)}`;
    return warning({
      name,
      code: "delivery_mode_unconfirmed",
      message: `${agent.name} on ${agent.board}: ${mode} when the daemon last heard of it. The server ${agent.server} does not answer it now.`,
      fix: `Once the server answers again: \`service delivery --as ${words}\``,
    });
  });
}
