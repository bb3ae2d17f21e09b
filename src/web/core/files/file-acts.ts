import { api } from "../connection/api.ts";
import { bytesOf } from "./file-bytes.ts";
import type { Followed } from "../boards/followed.ts";
import { isOwn, type FileRecord, type FileVersion, type ShownFile } from "./files.ts";
import { me } from "../boards/overview.ts";
import { sentenceOf } from "../connection/problems.ts";
import { toast } from "../screen/toasts.ts";
import { upload, type Upload } from "./uploads.ts";

const paramsOf = ({ board, id }: FileRecord) => ({ params: { board, file: id } });

/** A file as it is once the person approves a version of it, or none. */
function approved(file: ShownFile, version: FileVersion | null): ShownFile {
  const others = file.approvals.filter((one) => !isOwn(one));
  if (!version) return { ...file, approvals: others, mine: null };
  const mine = {
    person: { name: me.value, kind: "human", role: null, owner: null } as const,
    version: version.version,
    digest: version.digest,
    at: new Date().toISOString(),
    changes_since: file.latest.version - version.version,
  };
  return { ...file, approvals: [...others, mine], mine };
}

/** Approves a version, or takes the approval back. It is shown at once, and undone if the server refuses it. */
export async function approve(
  shown: Followed<ShownFile>,
  file: ShownFile,
  version: FileVersion | null,
): Promise<void> {
  shown.take(approved(file, version));
  try {
    if (version)
      await api.call("approveFile", { ...paramsOf(file), body: { version: version.version } });
    else await api.call("removeFileApproval", paramsOf(file));
  } catch (error) {
    shown.take(file);
    toast({ text: `Your approval was not stored. ${sentenceOf(error)}`, isError: true });
  }
  await shown.reload();
}

/** Gives a file another name. Throws `ApiError` `file_name_taken`. */
export const rename = (file: FileRecord, name: string): Promise<FileRecord> =>
  api.call("updateFile", { ...paramsOf(file), body: { name } });

/** Says that a file is kept current, or no longer. */
export async function keepCurrent(file: FileRecord, maintained: boolean): Promise<void> {
  try {
    await api.call("updateFile", { ...paramsOf(file), body: { maintained } });
  } catch (error) {
    toast({ text: `${file.name} was not changed. ${sentenceOf(error)}`, isError: true });
  }
}

/** Takes a file off the list. */
export const remove = (file: FileRecord): Promise<FileRecord> =>
  api.call("removeFile", paramsOf(file));

/**
 * Writes the bytes of an earlier version as the newest one; those of a removed file as the first version of a new file of its
 * name.
 */
export async function bringBack(file: ShownFile, version: FileVersion): Promise<Upload> {
  const bytes = await bytesOf(file, version);
  const base = file.isRemoved ? {} : { base: file.latest.version, file_id: file.id };
  const { media_type } = version;
  return upload(file.board, new Blob([bytes]), { name: file.name, media_type, ...base });
}
