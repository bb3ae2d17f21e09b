import { writeFileSync } from "node:fs";
import { freePort, start, stop } from "../processes.ts";
import { body } from "../raw.ts";
import { printed, whenReady, type Peer } from "./peer.ts";

/** NATS JetStream with a stream in files. */
export const jetStream: Peer = {
  name: "NATS JetStream",
  promise:
    "A publish of 200 characters to a stream in files, with `sync_interval: always`: synced before the answer, each by itself. NATS 2.10 or newer, which Debian has since 13. No digest, no rules.",
  needs: [{ program: "nats-server", package: "nats-server" }],
  async start(folder) {
    await requireSyncing();
    const port = freePort();
    const config = `${folder}.conf`;
    writeFileSync(
      config,
      `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${folder}", sync_interval: always }\n`,
    );
    const child = start(["nats-server", "-c", config], { log: `${folder}.log` });
    await whenReady(() => request(port, "$JS.API.STREAM.CREATE.board", JSON.stringify(stream)));
    return {
      async rate(connections, seconds) {
        const until = performance.now() + seconds * 1000;
        const counts = await Promise.all(
          Array.from({ length: connections }, () => publishUntil(port, until)),
        );
        return counts.reduce((sum, count) => sum + count, 0) / seconds;
      },
      stop: () => stop(child),
    };
  },
};

/** Refuses a program that cannot sync before it answers. */
async function requireSyncing(): Promise<void> {
  const version = await printed(["nats-server", "--version"]);
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(version) ?? [];
  if (Number(major) * 1000 + Number(minor) < 2010)
    throw new Error(`NATS 2.10 or newer is needed, which can sync each message: ${version.trim()}`);
}

const stream = { name: "board", subjects: ["board"], storage: "file", num_replicas: 1 };

/** One request, whose answer must hold no error. */
async function request(port: number, subject: string, text: string): Promise<void> {
  const connection = await connect(port);
  const answer = await connection.ask(subject, text);
  connection.close();
  if (answer.includes('"error"')) throw new Error(`NATS refuses: ${answer}`);
}

async function publishUntil(port: number, until: number): Promise<number> {
  const connection = await connect(port);
  let count = 0;
  for (; performance.now() < until; count++) {
    const answer = await connection.ask("board", body);
    if (!answer.includes('"seq"')) throw new Error(`NATS answers ${answer}`);
  }
  connection.close();
  return count;
}

/** A connection that asks one thing at a time. Its protocol is lines of text; an answer is `MSG …` and a line of JSON. */
async function connect(port: number) {
  let answered = Promise.withResolvers<string>();
  let text = "";
  const decoder = new TextDecoder();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(own, bytes) {
        text += decoder.decode(bytes, { stream: true });
        for (let end; (end = text.indexOf("\r\n")) >= 0;) {
          const line = text.slice(0, end);
          text = text.slice(end + 2);
          if (line === "PING") own.write("PONG\r\n");
          else if (line.startsWith("-ERR")) answered.reject(new Error(line));
          else if (line.startsWith("{")) answered.resolve(line);
        }
      },
    },
  });
  const inbox = `_INBOX.${crypto.randomUUID()}`;
  socket.write(`CONNECT {"verbose":false,"pedantic":false}\r\nSUB ${inbox} 1\r\n`);
  return {
    ask(subject: string, payload: string): Promise<string> {
      answered = Promise.withResolvers<string>();
      socket.write(`PUB ${subject} ${inbox} ${payload.length}\r\n${payload}\r\n`);
      return answered.promise;
    },
    close: () => void socket.end(),
  };
}
