import { deliveryLine, deliveryRule } from "../../agent-text/delivery-rules.ts";
import type { DeliveryMode } from "../../contract/waking.ts";
import type { DaemonAnswer, DaemonSeat } from "../../client/machine/daemon-wire.ts";
import type { NamedSession } from "../../client/machine/harness.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import { previousAgent } from "../acting/in-session.ts";
import type { Cli } from "../frame/cli.ts";
import { typedWith } from "../frame/suggest.ts";
import { oneLine } from "../terminal/clean.ts";
import { bold } from "../terminal/style.ts";

/** What is said about an agent whose seat a session has got. */
interface Named {
  readonly name: string;
  readonly role?: string | null;
  readonly delivery_mode?: DeliveryMode | null;
}

type Bound = Pick<DaemonAnswer, "previous" | "seats">;

/** What JSON says about the seat that a session has got: how it is used, and what the session holds besides. */
export function seatOfSession({ harness, session }: NamedSession, agent: Named, bound: Bound) {
  const { name, delivery_mode: mode } = agent;
  const seats = bound.seats ?? [];
  return {
    use: { as: name, env: `SERVICE_AGENT=${name}`, bound_session: `${harness}:${session}` },
    previous_agent: previousAgent(bound),
    ...(mode && { delivery: mode, delivery_rule: deliveryRule(mode) }),
    ...(seats.length > 1 && { seats: seats.map(seatRecord) }),
  };
}

const seatRecord = ({ server, board, name, member_id, mode, unread }: DaemonSeat) => ({
  server,
  board,
  name,
  member_id,
  role: null,
  delivery: mode ?? null,
  unread: unread ?? null,
});

/** Tells a session who it is now. */
export function seatOfSessionText(
  cli: Cli,
  server: ServerRef,
  board: string,
  { name, role, delivery_mode: mode }: Named,
  bound: Bound,
): string {
  const { previous, seats = [] } = bound;
  const typed = typedWith(cli, seats.length > 1 ? { board } : {});
  return [
    `This session is now ${bold(name)} on board ${bold(board)} at ${server.url}${role ? `, role ${oneLine(role)}` : ""}${previous ? `, in place of ${previous.name}` : ""}.`,
    "Messages come here by themselves.",
    ...(mode ? [deliveryLine(mode)] : []),
    `To speak there: ${typed('say "Hello"')}`,
  ].join("\n");
}
