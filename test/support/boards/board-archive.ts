import type { Client } from "../../../src/client/client.ts";
import { tarEnd, tarHeader, tarPadding } from "../../../src/board-archive/tar-blocks.ts";
import { canonical } from "../../../src/contract/canonical.ts";
import { eventsOf } from "./docs-board.ts";
import type { World } from "../servers/server-in-process.ts";

type Event = Awaited<ReturnType<typeof eventsOf>>[number];
/** The parts of an archive before they are bytes, so that a test can change them. */
export interface Parts {
  manifest: Record<string, any>;
  people: { id: string; handle: string; origin?: string }[];
  events: Event[];
  files: Map<string, Uint8Array>;
}

/** What an archive of a board has, read through the operations of its server. */
export async function partsOf(world: World, owner: Client, board = "docs"): Promise<Parts> {
  // What stands beside the hashed part is of the server that was asked.
  const events = (await eventsOf(owner, board)).map(({ origin: _, ...event }) => event);
  const { id } = await owner.call("getBoard", { params: { board } });
  const { generation, id: server } = world.db.read((tx) =>
    tx.get<{ generation: string; id: string }>("SELECT id, generation FROM server")!,
  );
  const named = new Set(JSON.stringify(events).match(/hum_[0-9A-Z]{26}/g));
  const people = world.db
    .read((tx) => tx.all<{ id: string; handle: string }>("SELECT id, handle FROM person"))
    .filter((one) => named.has(one.id));
  const files = new Map<string, Uint8Array>();
  for (const { type, data } of events)
    if (type === "file.version_added") {
      const { file_id: file, version, digest } = data as Record<string, string>;
      const { body } = await owner.download({
        params: { board, file: file!, version: String(version) },
      });
      files.set(digest!.slice(7), new Uint8Array(await new Response(body).arrayBuffer()));
    }
  const last = events.at(-1)!;
  return {
    manifest: {
      format: "service-board-archive",
      version: 1,
      exported_at: last.at,
      server: { id: server, generation, address: "https://old.example.org" },
      board: { id, name: board },
      head: { seq: last.seq, hash: last.hash },
    },
    people,
    events,
    files,
  };
}

/** Hashes changed events anew, as somebody who forges a log would, and sets the head. */
export function rehashed(parts: Parts): Parts {
  let previous = `sha256:${"0".repeat(64)}`;
  const events = parts.events.map((event) => {
    const { data, hash: _, ...header } = event;
    const next = {
      ...header,
      data_hash: `sha256:${sha256(canonical(data))}`,
      prev_hash: previous,
    };
    previous = `sha256:${sha256(canonical(next))}`;
    return { ...next, data, hash: previous } as Event;
  });
  const head = { seq: events.at(-1)!.seq, hash: previous };
  return { ...parts, events, manifest: { ...parts.manifest, head } };
}
const sha256 = (text: string | Uint8Array) =>
  new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** The bytes of an archive. */
export function archiveOf({ manifest, people, events, files }: Parts): Blob {
  return tar([
    ["manifest.json", JSON.stringify(manifest)],
    ["people.json", JSON.stringify(people)],
    ["events.jsonl", events.map((event) => `${JSON.stringify(event)}\n`).join("")],
    ...[...files].map(([digest, bytes]) => [`files/${digest}`, bytes] as const),
  ]);
}

/** A tar of plain files. */
export function tar(
  entries: readonly (readonly [name: string, content: string | Uint8Array])[],
): Blob {
  const parts: BlobPart[] = [];
  for (const [name, content] of entries) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    parts.push(tarHeader(name, bytes.length), bytes as BlobPart, tarPadding(bytes.length));
  }
  return new Blob([...parts, tarEnd()]);
}

let made = 0;
const madeId = (prefix: string) => `${prefix}_${String(++made).padStart(26, "0")}`;
const anyTime = "2026-01-01T00:00:00.000Z";

/** The archive of a board that a person of another server has just made. Each call gives another board. */
export const smallArchive = (): Blob => archiveOf(madeParts());

/** The parts of such an archive, with so many messages and files of a kilobyte. */
export function madeParts({ messages = 0, files = 0 } = {}): Parts {
  const [board_id, member_id, person_id] = [madeId("brd"), madeId("mem"), madeId("hum")];
  const name = `came-${made}`;
  const policy = {
    preset: "starter",
    visibility: "open",
    broadcast: "everyone",
    urgent: "everyone",
    nudges: "on",
    show_harness: true,
    overrides: [],
  };
  const membership = { kind: "human", role: null, owner: null, harness: null, access: "admin" };
  const created = { board_id, name, template: null, charter: "", roles: {}, policy };
  const joined = { member_id, person_id, name: "zoe", ...membership, join_code_id: null };
  const contents = Array.from({ length: files }, (_, n) => Buffer.alloc(1024, `${name} ${n} `));
  const datas: [type: string, data: object][] = [
    ["board.created", { ...created, agents_add_people: true }],
    ["member.joined", joined],
    ...contents.map((bytes, n): [string, object] => ["file.version_added", versionOf(bytes, n)]),
    ...Array.from({ length: messages }, (_, n): [string, object] => [
      "message.posted",
      messageOf(`Message ${n}. ${"Some words of it. ".repeat(20)}`),
    ]),
  ];
  const events = datas.map(([type, data], n) => ({
    id: madeId("evt"),
    board_id,
    seq: n + 1,
    type,
    at: anyTime,
    actor: { kind: "human", member_id, name: "zoe", owner: null },
    data,
  }));
  return rehashed({
    manifest: {
      format: "service-board-archive",
      version: 1,
      exported_at: anyTime,
      server: { id: madeId("srv"), generation: madeId("gen"), address: "https://old.example.org" },
      board: { id: board_id, name },
    },
    people: [{ id: person_id, handle: "zoe" }],
    events: events as never,
    files: new Map(contents.map((bytes) => [sha256(bytes), bytes])),
  });
}

const versionOf = (bytes: Uint8Array, n: number) => ({
  file_id: madeId("fil"),
  name: `file-${n}.txt`,
  version: 1,
  base_version: 0,
  digest: `sha256:${sha256(bytes)}`,
  size: bytes.length,
  media_type: "text/plain",
  maintained: false,
  about: [],
});
const messageOf = (body: string) => ({
  message_id: madeId("msg"),
  to: ["all"],
  body,
  reply_to: null,
  urgent: false,
  expects_reply: false,
  redactions: [],
  mentions: [],
});
