import { routes } from "../../../client/routes.ts";
import { addressOf } from "../../../contract/address.ts";
import { previewPath, previewKindOf } from "../../../contract/preview.ts";
import type { ErrorBody } from "../../../contract/refusal.ts";
import { ApiError, Unreachable } from "../connection/api.ts";
import type { FileRecord, FileVersion } from "./files.ts";

type Of = Pick<FileRecord, "board" | "id">;

const paramsOf = ({ board, id }: Of, { version }: FileVersion) => ({
  params: { board, file: id, version },
});

/** Where the browser downloads a version from. */
export const downloadAddress = (file: Of, version: FileVersion): string =>
  addressOf(routes.getFileVersion.split(" ")[1]!, paramsOf(file, version));

/** Where HTML and pictures are shown from, in a frame or as a picture. */
export const previewAddress = (file: Of, version: FileVersion): string =>
  addressOf(previewPath, paramsOf(file, version));

/** The bytes of a version. */
export async function bytesOf(file: Of, version: FileVersion): Promise<ArrayBuffer> {
  const answer = await fetch(downloadAddress(file, version)).catch((cause: unknown) => {
    throw new Unreachable("the server does not answer", { cause });
  });
  if (!answer.ok) throw new ApiError(answer.status, (await answer.json()) as ErrorBody, null);
  return answer.arrayBuffer();
}

/** What a version is shown as. */
export type Form = "markdown" | "text" | "html" | "picture" | "bytes";

/** A text of more bytes is saved and not shown, for a page of it would be of no use. */
export const largestText = 1_000_000;

const isText =
  /^(text\/|application\/(json|xml|yaml|toml|sql|javascript|x-ndjson|x-sh|octet-stream)\b)/i;

/** What a version is shown as by its name and type. A `text` may still turn out to be none. */
export function formOf(name: string, { media_type, size }: FileVersion): Form {
  const kind = previewKindOf(name, media_type);
  if (kind) return kind;
  if (size > largestText || !isText.test(media_type)) return "bytes";
  return /\.(md|markdown)$/i.test(name) || /^text\/markdown/i.test(media_type)
    ? "markdown"
    : "text";
}

/** Whether a version's text can be read and compared: all but pictures, as far as they are small enough. */
export const hasText = (name: string, version: FileVersion): boolean => {
  const form = formOf(name, version);
  const isSource = form === "html" || /\bsvg\b/i.test(version.media_type + name);
  return version.size <= largestText && (isSource || form === "text" || form === "markdown");
};

const texts = new Map<string, Promise<string | null>>();
const mostTexts = 40;

/** The text of a version, or null if its bytes are none. Versions do not change, so it is read once. */
export function textOf(file: Of, version: FileVersion): Promise<string | null> {
  const known = texts.get(version.digest);
  if (known) return known;
  const read = bytesOf(file, version).then((bytes) => {
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      return text.includes("\0") ? null : text;
    } catch {
      return null;
    }
  });
  read.catch(() => texts.delete(version.digest));
  if (texts.size >= mostTexts) texts.delete(texts.keys().next().value!);
  texts.set(version.digest, read);
  return read;
}
