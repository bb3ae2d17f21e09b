import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Client } from "../../../src/client/client.ts";
import { emptyRunCache } from "../../../src/client/machine/run-cache.ts";
import { readSeats, saveSeat } from "../../../src/client/machine/seats.ts";
import { readServers } from "../../../src/client/machine/servers.ts";
import { folderPlace } from "../../../src/backup/folder-place.ts";
import { verifyBackup } from "../../../src/server/backup/verify-backup.ts";
import type { RunningServer } from "../../../src/server/start-options.ts";
import { docs, eventsOf } from "../boards/docs-board.ts";
import { brokenLaws } from "../database-laws.ts";
import { brokenAt } from "../log-chain.ts";
import { lossesOfRestore } from "./losses-of-restore.ts";
import { homes, type Promised } from "./recorder.ts";
import { serverOn } from "./server-on.ts";

/**
 * What the machines below a folder lost of what was promised, or have half: a line for each. A server is started on what is
 * there, asked for everything, and must take one more post; each machine must be able to keep one more seat.
 */
export async function lossesIn(root: string, promises: readonly Promised[]): Promise<string[]> {
  const home = join(root, homes.server);
  const complaints: string[] = [];
  let server: RunningServer;
  try {
    server = await serverOn(home, complaints);
  } catch (error) {
    return [`the server does not start: ${String(error)}`];
  }
  try {
    const as = (token: string) => createClient({ baseUrl: server.url, token });
    const owner = as(readFileSync(join(home, "config/owner-token"), "utf8").trim());
    const { boards } = await owner.call("listBoards", {});
    for (const { name } of boards) {
      const broken = brokenAt(await eventsOf(owner, name));
      if (broken) complaints.push(`the log of ${name} is broken: ${JSON.stringify(broken)}`);
    }
    complaints.push(...server.db.read(brokenLaws));
    complaints.push(...halfStored(join(home, "data/files")));
    const backups = await wholeBackups(join(home, "data/saved"), complaints);
    const posts = boards.some(({ name }) => name === "docs") ? await postsOf(owner) : new Map();
    for (const promise of promises)
      // A file that cannot be read is lost.
      if (!(await isKept(root, promise, { owner, as, posts, backups }).catch(() => false)))
        complaints.push(`lost: ${JSON.stringify(promise)}`);
    for (const machine of [homes.server, homes.laptop, homes.desk])
      if (existsSync(join(root, machine))) keepSeat(root, machine, server.url);
    if (boards.length > 0)
      await owner.call("postMessage", {
        params: { board: boards[0]!.name },
        body: { body: "after the power cut" },
      });
    else await owner.call("createBoard", { body: { name: "docs" } });
  } catch (error) {
    complaints.push(`a question fails: ${String(error)}`);
  } finally {
    await server.stop();
  }
  complaints.push(...(await lossesOfRestore(root, promises)));
  return complaints;
}

interface After {
  readonly owner: Client;
  readonly as: (token: string) => Client;
  /** Bodies of the messages of docs, by id. */
  readonly posts: ReadonlyMap<string, string>;
  /** Names of the backups that are whole. */
  readonly backups: readonly string[];
}

async function isKept(root: string, promise: Promised, after: After): Promise<boolean> {
  const works = (token: string | undefined) =>
    token === undefined
      ? false
      : after
          .as(token)
          .call("getMe")
          .then(
            () => true,
            () => false,
          );
  switch (promise.what) {
    case "post":
      return after.posts.get(promise.id) === promise.body;
    case "file":
      return (await digestOf(after.owner, docs.params.board, promise.name)) === promise.sha256;
    case "import": {
      const kept = Object.entries(promise.digests).map(
        async ([file, digest]) =>
          `sha256:${await digestOf(after.owner, promise.board, file)}` === digest,
      );
      return kept.length > 0 && (await Promise.all(kept)).every(Boolean);
    }
    case "key":
    case "seat":
      return works(promise.token);
    case "revoked key":
      return !(await works(promise.token));
    case "export":
      return promise.oneOf.includes(sha256(readFileSync(join(root, promise.file))));
    case "restore":
      // Looked at by itself.
      return true;
    case "backup":
      return after.backups.includes(promise.name);
    case "kept seat": {
      const seats = readSeats(machineAt(root, promise.machine));
      return works(seats.find(({ member_id }) => member_id === promise.id)?.token);
    }
    case "kept key": {
      const { servers } = readServers(machineAt(root, promise.machine));
      return works(servers.find(({ person_id }) => person_id === promise.id)?.key);
    }
  }
}

/** Writes one more seat. A lock that the power cut left must not be in the way. */
function keepSeat(root: string, machine: string, server: string): void {
  const token = `aba_${"a".repeat(43)}`;
  saveSeat(machineAt(root, machine), {
    server,
    board: "docs",
    name: "new",
    member_id: "new",
    token,
  });
}

/** What reads the files of a machine needs to know about it. */
function machineAt(root: string, machine: string) {
  const home = join(root, machine);
  const folders = {
    config: join(home, "config"),
    data: join(home, "data"),
    state: join(home, "state"),
  };
  return { env: {}, folders, learned: emptyRunCache() };
}

async function postsOf(owner: Client): Promise<Map<string, string>> {
  const posts = new Map<string, string>();
  for (const { type, data } of await eventsOf(owner))
    if (type === "message.posted") posts.set(String(data!["message_id"]), String(data!["body"]));
  return posts;
}

/** Digest of the first version of a file; null if it is not there. */
async function digestOf(owner: Client, board: string, file: string): Promise<string | null> {
  const params = { board, file, version: "1" };
  const body = await owner.download({ params }).then(
    (download) => download.body,
    () => null,
  );
  return body && sha256(await new Response(body).bytes());
}
const sha256 = (bytes: Uint8Array) => Bun.CryptoHasher.hash("sha256", bytes, "hex");

/** The backups that are whole. One that is listed and is not is a complaint. */
async function wholeBackups(where: string, complaints: string[]): Promise<string[]> {
  const listed = await folderPlace(where).list();
  const whole: string[] = [];
  for (const { name } of listed)
    await verifyBackup(join(where, name)).then(
      () => whole.push(name),
      (error) => complaints.push(`the backup ${name} is not whole: ${String(error)}`),
    );
  return whole;
}

/** Bytes under a digest that is not theirs, and bytes that were arriving. */
function halfStored(files: string): string[] {
  if (!existsSync(files)) return [];
  return readdirSync(files, { recursive: true, encoding: "utf8" }).flatMap((path) => {
    if (path.startsWith("incoming")) return [`left: ${path}`];
    const digest = /^..\/(.+)$/.exec(path)?.[1];
    if (!digest || sha256(readFileSync(join(files, path))) === digest) return [];
    return [`half stored: ${path}`];
  });
}
