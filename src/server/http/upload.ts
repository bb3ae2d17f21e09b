import { largestFile } from "../../contract/limits.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { admit } from "../access/admit.ts";
import { requireRight } from "../access/required-role.ts";
import { isCited } from "../../db/files.ts";
import type { ByteStore, Taken } from "../files/byte-store.ts";
import type { Received } from "../handler.ts";
import { uploads } from "../handlers.ts";
import { answerOnce } from "./answer-call.ts";
import type { Call } from "./request-stages.ts";
import { hasKept, keptFor, idempotencyKeyOf, keepingOf, type Answer } from "./kept-answers.ts";

/** How long an upload may stand still, in seconds, such as while its bytes are synced. */
export const uploadStillSeconds = 60;

/**
 * Answers a call whose body is bytes. The caller's rights are checked before the bytes are read, and again in the
 * transaction that answers, because they may change meanwhile. A repeat is recognized by the digest of its bytes.
 */
export async function answerUpload(call: Call): Promise<Answer> {
  const { parts, name, op, request, presented, input } = call;
  refuseOtherForms(request);
  const key = idempotencyKeyOf(op, request, presented);
  refuseEarly(call, key);
  const end = parts.limits.beginUpload(presented?.digest ?? "");
  try {
    const moved = () => parts.connections?.keepOpen(request, uploadStillSeconds);
    if (name === "importBoard") return await answerImport(call, moved);
    const taken = await parts.bytes.take(bytesOf(request, moved, fileLimit));
    const keeping = keepingOfBytes(call, taken);
    const whole = { ...call, input: { ...input, bytes: taken } };
    return await parts.bytes.storing(taken, () =>
      parts.db.write((tx) => answerOnce(tx, whole, keeping)),
    );
  } finally {
    end();
  }
}

/** Under what the answer of an upload is kept: a repeat has the same bytes. */
function keepingOfBytes({ parts, op, request, presented }: Call, { digest }: Received) {
  return keepingOf(op, request, Buffer.from(digest), presented, parts.tools.secrets);
}

/** The stores of bytes whose server imports a board now. */
const importing = new WeakSet<ByteStore>();
/** How much of the disk an import leaves free. */
const reserve = 256 * 1024 * 1024;

/** Answers an import: the archive is on disk, then verified, and then stored in one transaction. One runs at a time. */
async function answerImport(call: Call, moved: () => void): Promise<Answer> {
  const { parts, request, input } = call;
  const { bytes, db } = parts;
  if (importing.has(bytes)) throw refuse("import_running");
  importing.add(bytes);
  const files: Taken[] = [];
  let whole: Taken | undefined;
  try {
    // The archive itself, the bytes of its files, and its rows are on the disk at the same time.
    const most = Math.max(0, Math.floor(((await bytes.room()) - reserve) / 4));
    whole = await bytes.take(bytesOf(request, moved, archiveLimit(most)));
    const keeping = keepingOfBytes(call, whole);
    const kept = keeping && db.read((tx) => keptFor(tx, keeping));
    if (kept) return await db.write((tx) => answerOnce(tx, call, keeping));
    parts.connections?.keepOpen(request, 0);
    const { receiveArchive } = await import("../importing/receive-archive.ts");
    const now = Date.parse(db.read((tx) => tx.now));
    const archive = await receiveArchive(whole.path, bytes, now, files);
    const arrived = { ...call, input: { ...input, archive } };
    return await bytes.storingAll(
      files,
      () => db.write((tx) => answerOnce(tx, arrived, keeping)),
      (digest) => db.read((tx) => isCited(tx, digest)),
    );
  } finally {
    importing.delete(bytes);
    for (const taken of whole ? [whole, ...files] : files) bytes.drop(taken);
  }
}

/** Refuses a caller who may not make the call. With an idempotency key, the query is left to the transaction, whose refusals are kept. */
function refuseEarly({ parts, name, op, presented, input }: Call, key: string | null): void {
  parts.db.read((tx) => {
    const replay = presented !== null && key !== null && hasKept(tx, presented, key);
    const standing = admit(tx, op, presented, input, { replay });
    if (replay) return;
    requireRight(tx, op, standing, input);
    if (name !== "putFile") return;
    uploads[name](tx, standing as never, input as never, key !== null);
  });
}

/** Refuses a body whose headers say that it is not plain bytes: a form would be stored with its wrapping. */
function refuseOtherForms(request: Request): void {
  const type = request.headers.get("content-type");
  if (type !== null && !/^application\/octet-stream\s*$/i.test(type))
    throw unfit(
      "the body must be the file's bytes, sent with `Content-Type: application/octet-stream`",
    );
  const coding = request.headers.get("content-encoding");
  if (coding !== null && coding.toLowerCase() !== "identity")
    throw unfit("the body must be sent without a `Content-Encoding`");
}

/** The bytes of a body as they come. Refuses a body that breaks off, and one that is too large as soon as that is known. */
async function* bytesOf(
  request: Request,
  moved: () => void,
  { most, tooLarge }: Limit,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge();
  if (!request.body) return;
  let size = 0;
  try {
    for await (const chunk of request.body) {
      size += chunk.length;
      if (size > most) throw tooLarge();
      moved();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Refusal ? error : unfit("the body broke off");
  }
}

const unfit = (problem: string) => refuse("invalid_request", { problem });
interface Limit {
  /** The most bytes that a body may have. */
  readonly most: number;
  tooLarge(): Refusal;
}
const fileLimit: Limit = {
  most: largestFile,
  tooLarge: () => refuse("file_too_large", { limit: largestFile }),
};
const archiveLimit = (most: number): Limit => ({
  most,
  tooLarge: () => refuse("archive_too_large", { limit: most }),
});
