import { answerOn, connectToDaemon } from "../../client/machine/daemon-client.ts";
import type { DaemonAnswer, DaemonRequest } from "../../client/machine/daemon-wire.ts";
import type { Seat } from "../../client/machine/seats.ts";
import type { Cli } from "../frame/cli.ts";

/** A command that shows messages of a seat. The daemon hands none of them to the seat's session until it is closed. */
export interface SeatReading {
  /** Whether a session here holds the seat, so that the daemon acknowledges what is claimed. */
  readonly held: boolean;
  /** Messages that the session has received, and the server still counts as unread. */
  readonly received: ReadonlySet<number>;
  /** Says what is shown: it counts as received. */
  claim(seqs: readonly number[]): Promise<void>;
  close(): void;
}

const nothing: SeatReading = { held: false, received: new Set(), async claim() {}, close() {} };
const answerMs = 3_000;

/** Begins to read the inbox of a seat, or with `reply_to` to wait for the replies to a message. Without a daemon it holds nothing. */
export async function readSeat(
  cli: Pick<Cli, "folders" | "system">,
  { server, board, name, member_id }: Seat,
  wait?: { readonly reply_to: number },
): Promise<SeatReading> {
  const connection = await connectToDaemon(cli).catch(() => null);
  if (connection === null) return nothing;
  const ask = (request: DaemonRequest): Promise<Partial<DaemonAnswer>> =>
    answerOn(connection, request, answerMs).catch(() => ({}));
  const agent = { server, board, name, member_id };
  const op = wait === undefined ? "inbox" : "hold";
  const { held = false, received = [] } = await ask({ op, agent, ...wait });
  return {
    held,
    received: new Set(received),
    async claim(seqs) {
      if (held && seqs.length > 0) await ask({ op: "claim", seqs });
    },
    close: connection.close,
  };
}
