import { Readable, Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Door } from "./caller.ts";
import { shortLines } from "./short-lines.ts";
import { createToolServer } from "./tool-server.ts";

/** One connection over the standard streams of a process. */
interface Connection {
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes everything. False when the reader has gone away. */
  write(chunk: Uint8Array): Promise<boolean>;
  readonly version: string;
  readonly door: Door;
  fault(error: unknown): Error;
  /** Hears of what is wrong with the connection. */
  readonly note: (problem: string) => void;
}

/** Serves a connection until its input ends or its reader goes away. Calls that are under way then are given up. */
export async function serveConnection(connection: Connection): Promise<void> {
  const { version, door, fault, note } = connection;
  const ended = Promise.withResolvers<void>();
  const input = Readable.from(shortLines(connection.input, note), { objectMode: false });
  for (const event of ["end", "close", "error"]) input.once(event, () => ended.resolve());
  const output = new Writable({
    write(chunk: Uint8Array, _, done) {
      void connection.write(chunk).then((isRead) => {
        if (!isRead) ended.resolve();
        done();
      }, done);
    },
  });
  const serving = serveStdio(() => createToolServer(version, door, fault), {
    transport: new StdioServerTransport(input, output),
    onerror: ({ message }) => note(message),
  });
  await ended.promise;
  await serving.close();
}
