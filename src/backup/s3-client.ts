import { BackupFailed } from "./backup-errors.ts";
import { largestManifest } from "./manifest.ts";

/** Where a bucket is, and who may use it. */
export interface Bucket {
  readonly bucket: string;
  /** Empty, or ends with `/`. */
  readonly prefix: string;
  /** Always given: the library would look for another one in variables of its own. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** How long is waited for a bucket, and how often it is asked again. */
export interface Patience {
  /** For one answer to begin, or to go on, in milliseconds. */
  readonly answerMs: number;
  /** How many bytes a line carries in a millisecond at the least: what is sent or read may take so much longer. */
  readonly bytesPerMs: number;
  readonly tries: number;
  /** Before the second try, in milliseconds; twice as long before each further one. */
  readonly pauseMs: number;
  /** How many pages of a list are read. Most buckets give 1,000 objects on each. */
  readonly pages: number;
}
const usual: Patience = {
  answerMs: 120_000,
  bytesPerMs: 64,
  tries: 4,
  pauseMs: 500,
  pages: 10_000,
};
/** How many objects a list may have: they are kept in memory, and a bucket that lies must not fill it. */
const longestList = 1_000_000;

/** An object in a bucket, without the prefix. */
export interface StoredObject {
  readonly name: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

/** What a place of backups needs of a bucket. Names are without the prefix. Each throws `BackupFailed` after its last try. */
export interface BucketClient {
  put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Null if there is no such object. */
  get(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** The objects whose names begin so. */
  list(start: string): Promise<StoredObject[]>;
  delete(name: string): Promise<void>;
}

/** Parts are put whole: larger than this they would be an upload in several parts. */
const wholePut = 128 * 1024 * 1024;
/** Largest object that is read, in bytes: a backup has none that is larger, and a bucket that lies must not fill the memory. */
export const largestObject = largestManifest + 1024 * 1024;

/** Asking again does not help: the bucket has answered. */
const final = new Set([
  "AccessDenied",
  "InvalidAccessKeyId",
  "SignatureDoesNotMatch",
  "NoSuchBucket",
  "InvalidBucketName",
  "PermanentRedirect",
  "AuthorizationHeaderMalformed",
  "ExpiredToken",
]);

/** Makes the client of a bucket. */
export function bucketClient(at: Bucket, patience: Patience = usual): BucketClient {
  const { prefix, endpoint, region, sessionToken, bucket, accessKeyId, secretAccessKey } = at;
  const s3 = new Bun.S3Client({
    bucket,
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    partSize: wholePut,
    retry: 0,
    ...(sessionToken !== undefined && { sessionToken }),
  });
  /** `bytes` are those that are sent or read at the most. */
  const trying = <T>(what: string, work: () => Promise<T>, bytes = 0) =>
    tried(at, patience, what, () =>
      within(patience.answerMs + Math.ceil(bytes / patience.bytesPerMs), work()),
    );
  const read = (name: string) => bytesOf(s3.file(prefix + name), patience.answerMs);
  return {
    async put(name, bytes) {
      const work = async () => {
        await s3.write(prefix + name, bytes);
        // What was taken may still have been cut or changed on its way: it is compared with what is there.
        const there = await read(name);
        if (!there.equals(bytes)) throw new Error("what is stored is not what was sent");
      };
      await trying(`store ${name}`, work, 2 * bytes.length);
    },
    get(name) {
      const work = async () => {
        try {
          return await read(name);
        } catch (error) {
          if ((error as { code?: string }).code === "NoSuchKey") return null;
          throw error;
        }
      };
      return trying(`read ${name}`, work, largestObject);
    },
    async list(start) {
      const found: StoredObject[] = [];
      let startAfter: string | undefined;
      for (let pages = 1; ; pages++) {
        const page = await trying("list what is there", () =>
          s3.list({ prefix: prefix + start, ...(startAfter !== undefined && { startAfter }) }),
        );
        const contents = page.contents ?? [];
        for (const { key, size, lastModified } of contents)
          if (key.startsWith(prefix))
            found.push({
              name: key.slice(prefix.length),
              size: size ?? 0,
              storedAt: Date.parse(`${lastModified}`),
            });
        const last = contents.at(-1)?.key;
        if (!page.isTruncated || last === undefined || last === startAfter) return found;
        if (pages >= patience.pages || found.length > longestList) throw tooLong(at, found.length);
        startAfter = last;
      }
    },
    async delete(name) {
      await trying(`delete ${name}`, () => s3.delete(prefix + name));
    },
  };
}

const tooLong = ({ bucket, prefix }: Bucket, listed: number): BackupFailed =>
  new BackupFailed(
    "backup_place_failed",
    `The bucket ${bucket} lists more than the ${listed} objects that were read under ${prefix || "its root"}.`,
    "Backups have fewer: check that this is the bucket, or name one, or a prefix, that nothing else is stored under.",
  );

/** The bytes of an object. Fails at one that is too large, without reading on, and where none come for so many milliseconds. */
async function bytesOf(file: Bun.S3File, stillMs: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await within(stillMs, reader.read());
      if (done) return Buffer.concat(chunks);
      size += value.length;
      if (size > largestObject) throw new Error(`the object has more than ${largestObject} bytes`);
      chunks.push(value);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Does some work with a bucket until it is done, or cannot be. Throws `BackupFailed`. */
async function tried<T>(
  { bucket, endpoint }: Bucket,
  { tries, pauseMs }: Patience,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  for (let tryNumber = 1; ; tryNumber++)
    try {
      return await work();
    } catch (error) {
      const { code = "", message } = error as Error & { code?: string };
      if (tryNumber < tries && !final.has(code)) {
        await Bun.sleep(pauseMs * 2 ** (tryNumber - 1));
        continue;
      }
      throw new BackupFailed(
        "backup_place_failed",
        `The bucket ${bucket} at ${endpoint} did not ${what}: ${code ? `${code}, ` : ""}${message}.`,
        final.has(code)
          ? "Check the bucket's name, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, and what that key may do."
          : "Nothing was lost. Try again, or check AWS_ENDPOINT_URL and the network.",
      );
    }
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer in ${milliseconds / 1000} seconds`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
