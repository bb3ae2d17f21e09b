import { open } from "node:fs/promises";
import { tarEntries, type TarEntry } from "../../../board-archive/tar-entries.ts";
import {
  writtenArchive,
  type Bytes,
  type WrittenArchive,
} from "../../../board-archive/written-archive.ts";

/** The archive of a whole board, made of one that was whole before and the archive of what came since. Both were verified. */
export async function joinedArchive(whole: string, part: string): Promise<WrittenArchive> {
  const [before, since] = await Promise.all([partsOf(whole), partsOf(part)]);
  const { since: _, ...manifest } = (await since.json("manifest.json")) as { since: unknown };
  const [were, are] = (await Promise.all(
    [before, since].map((parts) => parts.json("people.json")),
  )) as { id: string }[][];
  const logs = [before.bytes("events.jsonl"), since.bytes("events.jsonl")];
  return writtenArchive({
    manifest,
    // Handles are those of the newer part.
    people: [...new Map([...were!, ...are!].map((person) => [person.id, person])).values()],
    log: {
      size: logs.reduce((sum, { size }) => sum + size, 0),
      async *chunks() {
        for (const log of logs) yield* log.chunks();
      },
    },
    files: [
      ...before.files,
      ...since.files.filter(({ digest }) => before.files.every((one) => one.digest !== digest)),
    ],
  });
}

/** The parts of a verified archive, read when they are asked for. */
async function partsOf(path: string) {
  const entries = new Map<string, TarEntry>();
  const file = await open(path, "r");
  try {
    for await (const entry of tarEntries(file, (await file.stat()).size))
      entries.set(entry.name, entry);
  } finally {
    await file.close();
  }
  const slice = (name: string) => {
    const { start, size } = entries.get(name)!;
    return Bun.file(path).slice(start, start + size);
  };
  const bytes = (name: string): Bytes => ({
    size: entries.get(name)!.size,
    chunks: () => slice(name).stream(),
  });
  return {
    bytes,
    json: (name: string): Promise<unknown> => slice(name).json(),
    files: [...entries.keys()]
      .filter((name) => name.startsWith("files/"))
      .map((name) => ({ digest: name.slice("files/".length), ...bytes(name) })),
  };
}
