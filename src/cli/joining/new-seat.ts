import type { OutputOf } from "../../contract/index.ts";
import type { Cli } from "../frame/cli.ts";
import type { Answer } from "../frame/command.ts";
import { deliveryLine, deliveryRule } from "../../agent-text/delivery-rules.ts";
import type { DeliveryMode } from "../../contract/waking.ts";
import { policyNotice } from "../boards/policy-text.ts";
import { oneLine } from "../terminal/clean.ts";
import { bold } from "../terminal/style.ts";
import { readSeats, saveSeat } from "../../client/machine/seats.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import { typedAt } from "../frame/suggest.ts";

type Joined = OutputOf<"join">;

/** Saves a new agent's seat on this machine and gives the JSON that `pair` and `join` show of it. */
export function takeSeat(cli: Cli, server: ServerRef, { agent, token, board }: Joined) {
  const { name, id } = agent;
  saveSeat(cli, { server: server.name, board: board.name, name, member_id: id, token });
  const mode = agent.delivery_mode as DeliveryMode | null;
  return {
    board,
    agent,
    use: { as: name, env: `SERVICE_AGENT=${name}` },
    policy_notice: policyNotice(board.policy),
    ...(mode && { delivery: mode, delivery_rule: deliveryRule(mode) }),
  };
}

/** How the new agent is used, as text. `isOwners` is whether this person may change the board's policy. */
export function seatText(
  cli: Cli,
  server: ServerRef,
  seat: ReturnType<typeof takeSeat>,
  isOwners = true,
): string {
  const { agent, board, delivery, policy_notice } = seat;
  const shared = readSeats(cli).filter(({ name }) => name === agent.name).length > 1;
  const role = agent.role ? `, role ${oneLine(agent.role)}` : "";
  return [
    `Agent ${bold(agent.name)} is on board ${bold(board.name)} at ${server.url}${role}.`,
    `Act as it: ${cli.typed(`say "Hello" --as ${agent.name}${shared ? ` --board ${board.name}` : ""}`)}`,
    `In its session: export ${seat.use.env}${shared ? ` SERVICE_BOARD=${board.name}` : ""}`,
    ...(delivery ? [deliveryLine(delivery)] : []),
    ...(policy_notice && isOwners
      ? [
          `${policy_notice.message} To tighten it: ${typedAt(cli, server, board.name)("board policy recommended")}`,
        ]
      : []),
  ].join("\n");
}

/** The answer of `join` for a new seat. For a guest it says what a guest may do. */
export function seatAnswer(cli: Cli, server: ServerRef, joined: Joined, isGuest: boolean): Answer {
  const seat = takeSeat(cli, server, joined);
  const { board, agent } = seat;
  const roleCharter = board.roles[agent.role ?? ""]?.charter ?? "";
  return {
    json: {
      server,
      ...seat,
      charter: board.charter,
      role_charter: roleCharter,
      ...(isGuest && { guest: true }),
    },
    text: [
      ...(isGuest
        ? [
            `You are a guest of ${server.url} as @${agent.owner}: you and your agent read and post on board ${board.name}, and do nothing else.`,
          ]
        : []),
      seatText(cli, server, seat, !isGuest),
      ...chartersText(board.charter, agent.role, roleCharter),
    ].join("\n"),
  };
}

/** What the board asks of its members and of a role, as lines of text. */
export const chartersText = (charter: string, role: string | null, ofRole: string): string[] => [
  ...(charter ? ["", "Charter of the board:", charter] : []),
  ...(ofRole ? ["", `Charter of the role ${role}:`, ofRole] : []),
];
