import { Unreachable } from "./errors.ts";

/** Bytes of a known number that can be read from their start more than once. A `Blob`, such as `Bun.file(path)`, is one. */
export interface ByteSource {
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

/** Bytes of a file that are on their way. */
export interface Download {
  /** `sha256:` and 64 hexadecimal digits, of all of the file's bytes. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
  /** As whoever wrote the version said. */
  readonly mediaType: string;
  /** Fails with `Unreachable` when it breaks off, or when the bytes are not those of the digest. */
  readonly body: ReadableStream<Uint8Array>;
}

/** Told how many bytes have gone by so far. */
export type Progress = (bytes: number) => void;

/** A stream of the same bytes that tells how many have gone by. */
export function counted(
  bytes: ReadableStream<Uint8Array>,
  onProgress: Progress,
): ReadableStream<Uint8Array> {
  let count = 0;
  return bytes.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        count += chunk.length;
        controller.enqueue(chunk);
        onProgress(count);
      },
    }),
  );
}

/** The download that a response begins. */
export function downloadOf(response: Response, onProgress: Progress | undefined): Download {
  const { headers } = response;
  // A proxy may have marked the tag as its own.
  const digest = /sha256:[0-9a-f]{64}/.exec(headers.get("etag") ?? "")?.[0] ?? "";
  const size = Number(headers.get("content-length") ?? 0);
  const body = checked(response.body ?? new Blob([]).stream(), digest);
  return {
    digest,
    size,
    mediaType: headers.get("content-type") ?? "application/octet-stream",
    body: onProgress ? counted(body, onProgress) : body,
  };
}

/** The same bytes, which fail at their end if they are not those of the digest. */
function checked(bytes: ReadableStream<Uint8Array>, digest: string): ReadableStream<Uint8Array> {
  const hasher = new Bun.CryptoHasher("sha256");
  const reader = bytes.getReader();
  return new ReadableStream({
    async pull(controller) {
      const next = await reader.read().catch((cause: unknown) => {
        throw new Unreachable("The download broke off.", { cause });
      });
      if (!next.done) {
        hasher.update(next.value);
        controller.enqueue(next.value);
      } else if (`sha256:${hasher.digest("hex")}` === digest) controller.close();
      else
        throw new Unreachable(
          "What was downloaded is not what the server has: it broke off or was changed.",
        );
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
