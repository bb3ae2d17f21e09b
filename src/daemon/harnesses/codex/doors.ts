import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../loop/clock.ts";
import {
  ConnectionLost,
  introduce,
  speakTo,
  type AppServer,
  type Wire,
} from "../../../client/machine/codex-app-server.ts";

/** How the program Codex is run. */
export interface CodexProgram {
  readonly command: readonly string[];
  readonly version: string;
  readonly clock: Clock;
  /** The environment of its processes, without the settings folder. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a connection tells besides its answers. */
export interface Listener {
  notice(method: string, params: unknown): void;
  ended(): void;
}

/** Where the app server that plain `codex` starts and shares listens. */
export const knownSocket = (configDir: string): string =>
  join(configDir, "app-server-control/app-server-control.sock");

const connectMs = 5_000;

/** Connects to the app server that sessions share. Null if none listens. */
export async function connectShared(
  { clock, version }: CodexProgram,
  path: string,
  listener: Listener,
): Promise<AppServer | null> {
  if (!existsSync(path)) return null;
  const socket = new WebSocket(`ws+unix://${path}`);
  const opened = Promise.withResolvers<boolean>();
  const cancel = clock.after(connectMs, () => opened.resolve(false));
  const wire: Wire = { send: (text) => socket.send(text), close: () => socket.close() };
  const protocol = speakTo(wire, clock, listener.notice);
  socket.addEventListener("open", () => opened.resolve(true));
  socket.addEventListener("error", () => opened.resolve(false));
  socket.addEventListener("message", ({ data }) => protocol.receive(String(data)));
  socket.addEventListener("close", () => {
    opened.resolve(false);
    protocol.ended();
    listener.ended();
  });
  const isOpen = await opened.promise;
  cancel();
  if (!isOpen) {
    socket.close();
    return null;
  }
  return introduced(() => introduce(protocol, wire, version), wire);
}

/** Starts an app server of our own, which reads the same files. It sees the queues and turns of every session. */
export async function startOwn(
  { command, clock, version, env }: CodexProgram,
  configDir: string,
  onEnd: () => void,
): Promise<AppServer> {
  const child = started([...command, "app-server"], { ...env, CODEX_HOME: configDir });
  const wire: Wire = {
    send(text) {
      child.stdin.write(`${text}\n`);
      child.stdin.flush();
    },
    close: () => child.kill(),
  };
  const protocol = speakTo(wire, clock, () => {});
  readLines(child.stdout, protocol.receive)
    .catch(() => {})
    .finally(() => {
      protocol.ended();
      onEnd();
    });
  return introduced(() => introduce(protocol, wire, version), wire);
}

/** Whoever cannot be introduced is let go. */
async function introduced(act: () => Promise<AppServer>, wire: Wire): Promise<AppServer> {
  try {
    return await act();
  } catch (error) {
    wire.close();
    throw error;
  }
}

function started(command: string[], env: Record<string, string | undefined>) {
  try {
    return Bun.spawn(command, { env, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  } catch {
    throw new ConnectionLost(`the program ${command[0]} cannot be started`);
  }
}

async function readLines(from: ReadableStream<Uint8Array>, take: (line: string) => void) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of from) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  }
}
