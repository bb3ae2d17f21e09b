import { sizeInTar, tarEnd, tarHeader, tarPadding } from "./tar-blocks.ts";

/** Bytes of a known number, read when they are asked for. */
export interface Bytes {
  readonly size: number;
  chunks(): AsyncIterable<Uint8Array>;
}

/** The parts of an archive, in their order. */
interface Parts {
  readonly manifest: object;
  readonly people: readonly object[];
  readonly log: Bytes;
  readonly files: readonly (Bytes & { readonly digest: string })[];
}

/** An archive that is written while it is read. */
export interface WrittenArchive {
  /** In bytes. */
  readonly size: number;
  readonly body: ReadableStream<Uint8Array>;
}

/** Writes an archive. It breaks off where reading a part fails. */
export function writtenArchive({ manifest, people, log, files }: Parts): WrittenArchive {
  const all: readonly (readonly [string, Bytes])[] = [
    ["manifest.json", json(manifest)],
    ["people.json", json(people)],
    ["events.jsonl", log],
    ...files.map((file) => [`files/${file.digest}`, file] as const),
  ];
  async function* written(): AsyncGenerator<Uint8Array> {
    for (const [name, { size, chunks }] of all) {
      yield tarHeader(name, size);
      yield* chunks();
      yield tarPadding(size);
    }
    yield tarEnd();
  }
  return {
    size: all.reduce((sum, [, { size }]) => sum + sizeInTar(size), tarEnd().length),
    body: streamOf(written()),
  };
}

function json(value: object): Bytes {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return {
    size: bytes.length,
    async *chunks() {
      yield bytes;
    },
  };
}

/** A stream that asks for the next part when its reader wants more. */
function streamOf(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else if (value.length > 0) controller.enqueue(value);
      // An empty part is none, and a pull that brings nothing is not repeated.
      else await this.pull!(controller);
    },
    cancel: () => void parts.return(undefined),
  });
}
