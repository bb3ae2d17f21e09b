import { largestFile } from "../contract/limits.ts";
import { Unreachable } from "./errors.ts";

/** Bytes of a known number that can be read from their start more than once. A `Blob`, such as `Bun.file(path)`, is one. */
export interface ByteSource {
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

/** A file that is being downloaded. */
export interface Download {
  /** `sha256:` and 64 hexadecimal digits, of all of the file's bytes. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
  /** As whoever wrote the version said. */
  readonly mediaType: string;
  /** Fails with `Unreachable` when it breaks off, or when the bytes have another digest. */
  readonly body: ReadableStream<Uint8Array>;
}

/** Called with the number of bytes that have passed so far. */
export type Progress = (bytes: number) => void;

/** The same bytes, with `onProgress` called after each chunk. */
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
  // A proxy may have marked the tag as weak.
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

/** The same bytes. The stream fails at its end if their digest is another one, and before where no file is as long. */
function checked(bytes: ReadableStream<Uint8Array>, digest: string): ReadableStream<Uint8Array> {
  const hasher = new Bun.CryptoHasher("sha256");
  const reader = bytes.getReader();
  let size = 0;
  return new ReadableStream({
    async pull(controller) {
      const next = await reader.read().catch((cause: unknown) => {
        throw new Unreachable("The download broke off.", { cause });
      });
      size += next.value?.length ?? 0;
      if (size > largestFile) {
        void reader.cancel().catch(() => {});
        throw new Unreachable("The server sends more bytes than any file has.");
      }
      if (!next.done) {
        hasher.update(next.value);
        controller.enqueue(next.value);
      } else if (`sha256:${hasher.digest("hex")}` === digest) controller.close();
      else
        throw new Unreachable(
          "The downloaded bytes are not those of the server: the download broke off, or they were changed on the way.",
        );
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
