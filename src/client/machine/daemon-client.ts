import { dirname } from "node:path";
import type { Details } from "../../contract/refusal.ts";
import { daemonSocket, isShared } from "./daemon-files.ts";
import {
  daemonProtocol,
  lineReader,
  type DaemonAnswer,
  type DaemonRequest,
} from "./daemon-wire.ts";
import { LocalError } from "./local-error.ts";
import type { Machine } from "./machine.ts";

/** The daemon refused a request. */
export class DaemonRefusal extends Error {
  override readonly name = "DaemonRefusal";
  readonly code: string;
  readonly hint: string;
  readonly details: Details | undefined;
  constructor(error: NonNullable<DaemonAnswer["error"]>) {
    super(error.message);
    this.code = error.code;
    this.hint = error.hint;
    this.details = error.details;
  }
}

/** An open connection to the daemon. */
export interface DaemonConnection {
  send(message: object): void;
  /** The next answer. Throws `DaemonRefusal` for an error, and `daemon_not_running` when the connection has ended. */
  next(): Promise<DaemonAnswer>;
  close(): void;
}

type Home = Pick<Machine, "folders" | "system">;

/**
 * Connects to this person's daemon. Throws the local error `daemon_not_running` if none listens, and where another user may
 * listen in its place: what it answers goes into sessions.
 */
export async function connectToDaemon(machine: Home): Promise<DaemonConnection> {
  const answers: DaemonAnswer[] = [];
  const readLines = lineReader();
  const state = { ended: false };
  let wake = () => {};
  const end = () => {
    state.ended = true;
    wake();
  };
  const { userId } = machine.system;
  const path = daemonSocket(machine.folders, userId);
  if (mayBeOthers(dirname(path), userId)) throw notRunning();
  const socket = await Bun.connect({
    unix: path,
    socket: {
      data(connection, bytes) {
        try {
          answers.push(...readLines(bytes).map((line) => JSON.parse(line) as DaemonAnswer));
        } catch {
          connection.end();
          end();
        }
        wake();
      },
      close: end,
      error: end,
    },
  }).catch(() => {
    throw notRunning();
  });
  return {
    send: (message) => void socket.write(`${JSON.stringify({ v: daemonProtocol, ...message })}\n`),
    async next() {
      while (answers.length === 0 && !state.ended)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const answer = answers.shift();
      if (answer === undefined) throw notRunning();
      if (answer.error) throw new DaemonRefusal(answer.error);
      return answer;
    },
    close: () => void socket.end(),
  };
}

/** Also true of a folder that is not there, in which nobody listens. */
function mayBeOthers(folder: string, userId: number | undefined): boolean {
  try {
    return isShared(folder, userId);
  } catch {
    return true;
  }
}

/** Makes one request and gives its answer. Throws `DaemonRefusal`, and `daemon_not_running` also after `waitMs`. */
export async function askDaemon(
  machine: Home,
  request: DaemonRequest,
  waitMs = 5_000,
): Promise<DaemonAnswer> {
  const connection = await connectToDaemon(machine);
  try {
    return await answerOn(connection, request, waitMs);
  } finally {
    connection.close();
  }
}

/** Makes a request on an open connection and gives the first answer to it. After `waitMs` the connection is closed. */
export async function answerOn(
  connection: DaemonConnection,
  request: DaemonRequest,
  waitMs: number,
): Promise<DaemonAnswer> {
  const timer = setTimeout(() => connection.close(), waitMs);
  try {
    connection.send(request);
    return await connection.next();
  } finally {
    clearTimeout(timer);
  }
}

const notRunning = () =>
  new LocalError(
    "daemon_not_running",
    "The delivery daemon of this machine does not answer.",
    "Start it: `service daemon start`.",
  );
