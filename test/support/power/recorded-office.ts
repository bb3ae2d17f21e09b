import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Client } from "../../../src/client/client.ts";
import { archiveOf, madeParts } from "../boards/board-archive.ts";
import { docs } from "../boards/docs-board.ts";
import {
  homes,
  startRecorder,
  type RecordedServer,
  type Recorder,
  type Recording,
} from "./recorder.ts";

/** How much is done between two stops of the server: so many posts of each of three, and so many pairs of uploads. */
interface Size {
  readonly posts: number;
  readonly uploads: number;
}

/** How many syncs a first start has at most. */
const syncsOfStart = 16;

/**
 * Records an office at work: people and agents post, upload, import, make keys and take seats, over HTTP and with commands. The server
 * is killed at each sync of its first start, and later at work; it stops once, and starts again. A command is killed too. Backups are
 * made, one of them meanwhile, and restored on another
 * machine, by a restore that is killed before.
 */
export async function recordOffice(folder: string, size: Size): Promise<Recording> {
  const recorder = await startRecorder(folder);
  for (let sync = 1; sync <= syncsOfStart; sync++)
    await recorder.killedBefore("fsync", sync, homes.server, ["serve"]);
  let server = await recorder.serve();
  const office = await openOffice(recorder, server, size);
  await office.work(server);
  await office.keys(server);
  await connectMachines(recorder);
  await server.end("SIGKILL");
  server = await recorder.serve();
  await backUp(recorder, "first");
  await Promise.all([office.work(server), office.importBoard(server), backUp(recorder, "second")]);
  await recorder.command(homes.server, ["backup", "--name", "third"]);
  await recorder.command(homes.server, ["backup", "delete", "third", "--yes"]);
  await takeSeat(recorder);
  await exportBoard(recorder);
  await server.end("SIGTERM");
  server = await recorder.serve();
  await office.work(server);
  await server.end("SIGKILL");
  await restoreElsewhere(recorder);
  return recorder.finished();
}

/** Makes the board docs with two agents. Gives what its people do there. */
async function openOffice({ root, baseUrl }: Recorder, server: RecordedServer, size: Size) {
  const as = (token: string) => createClient({ baseUrl, token });
  const ownToken = readFileSync(join(root, homes.server, "config/owner-token"), "utf8").trim();
  server.promised({ what: "key", token: ownToken }, "Serving at");
  const owner = as(ownToken);
  await owner.call("createBoard", { body: { name: "docs" } });
  const posting = [owner];
  for (const name of ["writer", "tester"]) {
    const body = { board: "docs", role: "member", name };
    const { agent, token } = await owner.call("join", { body });
    server.promised({ what: "seat", token }, agent.id);
    posting.push(as(token));
  }

  let [posts, uploads] = [0, 0];
  async function post(by: Client, { promised }: RecordedServer): Promise<void> {
    const body = `${++posts} ${"and so on, ".repeat(posts % 40)}`;
    const { id } = await by.call("postMessage", { ...docs, body: { body } });
    promised({ what: "post", id, body }, id);
  }
  /** The same bytes under two names at once: only one of the uploads has to store them. */
  async function upload({ promised }: RecordedServer): Promise<void> {
    const number = ++uploads;
    const bytes = crypto.getRandomValues(new Uint8Array(number % 3 === 0 ? 60_000 : 900));
    const sha256 = Bun.CryptoHasher.hash("sha256", bytes, "hex");
    const under = async (name: string) => {
      const file = await owner.upload({ ...docs, query: { name } }, new Blob([bytes]));
      promised({ what: "file", name, sha256 }, file.id);
    };
    await Promise.all([under(`${number}a.bin`), under(`${number}b.bin`)]);
  }
  const each = async (times: number, work: () => Promise<void>) => {
    for (let n = 0; n < times; n++) await work();
  };

  return {
    /** Everybody at once, so that posts share commits and uploads cross them. */
    work: (server: RecordedServer) =>
      Promise.all([
        ...posting.map((by) => each(size.posts, () => post(by, server))),
        each(size.uploads, () => upload(server)),
      ]),
    async importBoard({ promised }: RecordedServer) {
      const parts = madeParts({ messages: 5, files: 3 });
      const board = await owner.importBoard({}, archiveOf(parts));
      const written = parts.events.filter(({ type }) => type === "file.version_added");
      const digests = Object.fromEntries(
        written.map(({ data }) => [String(data!["file_id"]), String(data!["digest"])]),
      );
      promised({ what: "import", board: board.name, digests }, board.id);
    },
    async keys({ promised }: RecordedServer) {
      const kept = await owner.call("createKey", { body: { name: "kept" } });
      promised({ what: "key", token: kept.token }, kept.id);
      const { id, token } = await owner.call("createKey", { body: { name: "lost" } });
      const { revoked_at } = await owner.call("revokeKey", { params: { key: id } });
      promised({ what: "revoked key", token }, `"revoked_at":"${revoked_at}"`);
    },
  };
}

/** The server's person pairs, and two others connect their machines. The command of one is killed at some syncs first. */
async function connectMachines({ command, killedBefore }: Recorder): Promise<void> {
  await command(homes.server, ["pair", "--board", "team"], ({ agent }) => ({
    promise: { what: "kept seat", machine: homes.server, id: agent.id },
    told: agent.id,
  }));
  for (const handle of [homes.laptop, homes.desk]) {
    const { link } = await command(homes.server, ["invite", "--person", "--board", "docs"]);
    const connect = ["connect", link, "--handle", handle, "--name", handle];
    if (handle === homes.desk)
      for (const sync of [1, 2, 3, 4]) await killedBefore("fsync", sync, handle, connect);
    await command(handle, connect, ({ person }) => ({
      promise: { what: "kept key", machine: handle, id: person.id },
      told: person.id,
    }));
  }
}

/** The second backup shares the bytes of files with the first. */
const backUp = ({ command }: Recorder, name: string) =>
  command(homes.server, ["backup", "--name", name], ({ backup }) => ({
    promise: { what: "backup", name: backup.name },
    told: backup.taken_at,
  }));

/** Exports the board docs into a file, and then in the place of that: until the end there is one or the other. */
async function exportBoard({ command, root }: Recorder): Promise<void> {
  const file = `${homes.server}/docs.tar`;
  const eithers: string[][] = [[], []];
  for (const oneOf of eithers)
    await command(
      homes.server,
      ["board", "export", "docs", "--output", join(root, file), "--force"],
      ({ bytes }) => {
        const sha256 = Bun.CryptoHasher.hash("sha256", readFileSync(join(root, file)), "hex");
        for (const either of new Set([eithers[0]!, oneOf])) either.push(sha256);
        return { promise: { what: "export", file, oneOf }, told: `"bytes":${bytes}` };
      },
    );
}

/** Another machine gets the server as a backup has it, and takes a post. */
async function restoreElsewhere({ root, baseUrl, ...recorder }: Recorder): Promise<void> {
  const where = join(root, homes.server, "data/saved");
  const restore = ["restore", where, "first", "--keys", "keep"];
  // At its beginning, between two moves to their places, and when all is in its place.
  await recorder.killedBefore("fsync", 5, homes.next, restore);
  await recorder.killedBefore("link", 6, homes.next, restore);
  await recorder.killedBefore("rename", 3, homes.next, restore);
  await recorder.command(homes.next, restore, ({ data }) => ({
    promise: { what: "restore", posts: [] },
    told: data,
  }));
  const server = await recorder.serve(homes.next);
  const token = readFileSync(join(root, homes.next, "config/owner-token"), "utf8").trim();
  const owner = createClient({ baseUrl, token });
  const { id } = await owner.call("postMessage", { ...docs, body: { body: "here again" } });
  server.promised({ what: "restore", posts: [id] }, id);
  await server.end("SIGKILL");
}

/** The laptop's person takes a seat for an agent there. */
async function takeSeat({ command, baseUrl }: Recorder): Promise<void> {
  const { join_line } = await command(homes.laptop, ["invite", "--board", "docs"]);
  const [code] = /[\w-]+$/.exec(join_line)!;
  const join = ["join", code, "--name", "helper", "--server", baseUrl];
  await command(homes.laptop, join, ({ agent }) => ({
    promise: { what: "kept seat", machine: homes.laptop, id: agent.id },
    told: agent.id,
  }));
}
