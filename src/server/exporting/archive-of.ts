import type { OutputOf } from "../../contract/index.ts";
import { refuse } from "../../contract/refusal.ts";
import { personWithId, serverRow } from "../../db/accounts.ts";
import { boardWithId } from "../../db/boards.ts";
import type { Db, ReadTx } from "../../db/engine/database.ts";
import { genesisHash, type EventRow } from "../../db/log/chain.ts";
import { seqOf } from "../../db/log/log-place.ts";
import { eventsWithin } from "../../db/log/log.ts";
import { standInsOf } from "../../db/stand-ins.ts";
import { archiveFormat, archiveVersion } from "../../board-archive/archive-format.ts";
import { writtenArchive, type WrittenArchive } from "../../board-archive/written-archive.ts";
import type { ByteStore } from "../files/byte-store.ts";
import { namedIds } from "../importing/named-ids.ts";

/** How many events are read at once. Other requests get their turn in between. */
const someTogether = 200;

interface Given {
  readonly db: Db;
  readonly bytes: Pick<ByteStore, "find">;
  /** The address of this server, as clients have it. */
  readonly address: string;
  /** What is exported, as the rule answered. */
  readonly facts: OutputOf<"exportBoard">;
  readonly now: Date;
}

/**
 * Makes the archive of a board up to a head, or of what came since an event. The log is read twice, since a tar names the size of a part before the part:
 * committed events never change, so both readings are the same. Refuses a log with a gap and a file whose bytes are gone
 * before anything is sent. The archive breaks off if the board is deleted meanwhile.
 */
export async function archiveOf(given: Given): Promise<WrittenArchive> {
  const { db, bytes, facts } = given;
  const { logSize, people, cited } = await surveyed(given);
  const files: { digest: string; size: number; path: string }[] = [];
  for (const [digest, { size, seq }] of cited) {
    const path = await bytes.find(digest, size);
    if (path === null) throw damaged(facts, seq, "its bytes are missing");
    files.push({ digest, size, path });
  }
  return writtenArchive({
    manifest: manifestOf(given),
    people: db.read((tx) => peopleOf(tx, facts.board_id, people)),
    log: { size: logSize, chunks: () => encodedLines(given) },
    files: files.map(({ path, ...file }) => ({ ...file, chunks: () => Bun.file(path).stream() })),
  });
}

async function* encodedLines(given: Given): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const lines of linesOf(given))
    yield encoder.encode(lines.map(({ text }) => text).join(""));
}

/** What the log of a board comes to: how many bytes its lines have, whom they name, and which bytes of files they cite. */
async function surveyed(given: Given) {
  const people = new Set<string>();
  const cited = new Map<string, { size: number; seq: number }>();
  let logSize = 0;
  for await (const lines of linesOf(given))
    for (const { text, event } of lines) {
      logSize += Buffer.byteLength(text);
      const data = JSON.parse(event.data) as Record<string, unknown>;
      for (const { kind, id } of namedIds(event.type, data)) if (kind === "hum") people.add(id);
      if (event.type !== "file.version_added") continue;
      const digest = (data["digest"] as string).slice("sha256:".length);
      cited.set(digest, { size: data["size"] as number, seq: seqOf(event.place) });
    }
  return { logSize, people, cited };
}

interface Line {
  readonly text: string;
  readonly event: EventRow;
}

/** The lines of the log up to the head, some together. */
async function* linesOf({ db, facts }: Given): AsyncGenerator<Line[]> {
  let previous = facts.since?.hash.slice("sha256:".length) ?? genesisHash;
  for (let after = facts.since?.seq ?? 0; after < facts.seq;) {
    const limit = Math.min(someTogether, facts.seq - after);
    const rows = db.read((tx) => {
      const board = boardWithId(tx, facts.board_id);
      return board
        ? eventsWithin(tx, board.row, { after, before: null, newest: false, limit })
        : [];
    });
    const lines: Line[] = [];
    for (const event of rows) {
      if (seqOf(event.place) !== after + 1) break;
      lines.push({ text: lineOf(event, facts.board_id, previous), event });
      previous = event.hash;
      after++;
    }
    if (lines.length < limit) throw damaged(facts, after + 1, "what followed is gone");
    yield lines;
    await Bun.sleep(0);
  }
}

/** An event as its log shows it. What was hashed goes out as it is stored. */
function lineOf(event: EventRow, boardId: string, previous: string): string {
  const { place, id, type, at, actor, data, data_hash, hash } = event;
  const header = JSON.stringify({ id, board_id: boardId, seq: seqOf(place), type, at }).slice(
    0,
    -1,
  );
  return `${header},"actor":${actor},"data":${data},"data_hash":"sha256:${data_hash}","prev_hash":"sha256:${previous}","hash":"sha256:${hash}"}\n`;
}

const damaged = ({ board }: OutputOf<"exportBoard">, seq: number, problem: string) =>
  refuse("record_damaged", { board, seq, problem }, { seq });

function manifestOf({ db, address, facts, now }: Given) {
  const { id, generation } = db.read(serverRow)!;
  const { board_id, board, seq, hash, since } = facts;
  return {
    format: archiveFormat,
    version: archiveVersion,
    exported_at: now.toISOString(),
    server: { id, generation, address },
    board: { id: board_id, name: board },
    head: { seq, hash },
    ...(since && { since }),
  };
}

/** The people whom a log names, by their handles of now. Those of a further server have its address. */
function peopleOf(tx: ReadTx, boardId: string, ids: ReadonlySet<string>) {
  const board = boardWithId(tx, boardId);
  const foreign = new Map(board ? standInsOf(tx, board.row).map((one) => [one.id, one]) : []);
  return [...ids].flatMap((id) => {
    const standIn = foreign.get(id);
    if (standIn) return [{ id, handle: standIn.handle, origin: standIn.origin }];
    const person = personWithId(tx, id);
    return person ? [{ id, handle: person.handle }] : [];
  });
}
