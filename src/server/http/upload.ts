import { largestFile } from "../../contract/limits.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { admit } from "../access/admit.ts";
import { requireRight } from "../access/required-role.ts";
import { uploads } from "../handlers.ts";
import { answerOnce } from "./answer-call.ts";
import type { Call } from "./request-stages.ts";
import { hasKept, idempotencyKeyOf, keepingOf, type Answer } from "./kept-answers.ts";

/**
 * Answers a call whose body is bytes. The caller's rights are checked before the bytes are read, and again in the
 * transaction that answers, because they may change meanwhile. A repeat is recognized by the digest of its bytes.
 */
export async function answerUpload(call: Call): Promise<Answer> {
  const { parts, op, request, presented, input } = call;
  refuseOtherForms(request);
  const key = idempotencyKeyOf(op, request, presented);
  refuseEarly(call, key);
  const end = parts.limits.beginUpload(presented?.digest ?? "");
  try {
    const taken = await parts.bytes.take(bytesOf(request));
    const { secrets } = parts.tools;
    const keeping = keepingOf(op, request, Buffer.from(taken.digest), presented, secrets);
    const whole = { ...call, input: { ...input, bytes: taken } };
    return await parts.bytes.storing(taken, () =>
      parts.db.write((tx) => answerOnce(tx, whole, keeping)),
    );
  } finally {
    end();
  }
}

/** Refuses a caller who may not make the call. With an idempotency key, the query is left to the transaction, whose refusals are kept. */
function refuseEarly({ parts, name, op, presented, input }: Call, key: string | null): void {
  parts.db.read((tx) => {
    const replay = presented !== null && key !== null && hasKept(tx, presented, key);
    const standing = admit(tx, op, presented, input, { replay });
    if (replay) return;
    requireRight(tx, op, standing, input);
    const check = uploads[name as keyof typeof uploads];
    check(tx, standing as never, input as never, key !== null);
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
async function* bytesOf(request: Request): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > largestFile) throw tooLarge();
  if (!request.body) return;
  let size = 0;
  try {
    for await (const chunk of request.body) {
      size += chunk.length;
      if (size > largestFile) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Refusal ? error : unfit("the body broke off");
  }
}

const unfit = (problem: string) => refuse("invalid_request", { problem });
const tooLarge = () => refuse("file_too_large", { limit: largestFile });
