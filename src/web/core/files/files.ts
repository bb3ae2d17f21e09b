import type { OutputOf } from "../../../contract/index.ts";
import { mostListed } from "../../../contract/limits.ts";
import { api, ApiError } from "../connection/api.ts";
import type { LogEvent } from "../boards/board.ts";
import { followed, type Followed } from "../boards/followed.ts";
import { attention, me, type AttentionItem } from "../boards/overview.ts";

export type FileRecord = OutputOf<"listFiles">["files"][number];
export type FileVersion = FileRecord["latest"];

/** A file with its versions, as one page shows it. */
export type ShownFile = OutputOf<"getFile"> & {
  /** Whether it was removed. Its versions can still be read. */
  readonly isRemoved: boolean;
};

const isOfFiles = ({ type }: LogEvent): boolean => type.startsWith("file.");

/** The first files of a board's list, and whether there are more. */
export interface FileList {
  readonly files: readonly FileRecord[];
  readonly more: boolean;
}

/**
 * The files of a board, as the server lists them: a page of them at first. `showMore` reads one page more, and throws what
 * stands in the way.
 */
export function followFiles(board: string): Followed<FileList> & { showMore(): Promise<void> } {
  let pages = 1;
  const list = followed(board, isOfFiles, () => readPages(board, pages));
  return {
    ...list,
    async showMore() {
      const found = await readPages(board, pages + 1);
      pages++;
      list.take(found);
    },
  };
}

/** Reads so many pages of a list. The maintained files come first, and then the others. */
async function readPages(board: string, pages: number): Promise<FileList> {
  const files: FileRecord[] = [];
  let next: { readonly maintained?: boolean; readonly before?: number } | null = {};
  for (let page = 0; page < pages && next; page++) {
    const query = { ...next, limit: mostListed };
    const found: OutputOf<"listFiles"> = await api.call("listFiles", { params: { board }, query });
    files.push(...found.files);
    const last = found.files.at(-1);
    next =
      found.more && last
        ? { maintained: last.maintained, before: last.latest.seq }
        : next.maintained === true
          ? { maintained: false }
          : null;
  }
  return { files, more: next !== null };
}

/** One file, found by its name or id, and followed under whatever name it gets. */
export function followFile(board: string, asked: string): Followed<ShownFile> {
  let id: string | null = null;
  let isRemoved = false;
  const isNews = (event: LogEvent): boolean => {
    if (event.type === "file.removed" && event.data?.["file_id"] === id) isRemoved = true;
    // What is posted and said counts too: where the file stands, and what happened since.
    return isOfFiles(event) || /^(message|task)\./.test(event.type);
  };
  return followed(board, isNews, async () => {
    const file = await api.call("getFile", { params: { board, file: id ?? asked } });
    // Only a file that is not listed any more is found by its id alone.
    if (id === null && file.name !== asked) isRemoved = !(await isListed(board, file));
    id = file.id;
    return { ...file, isRemoved };
  });
}

/** Whether a file has its name still. */
async function isListed(board: string, { id, name }: FileRecord): Promise<boolean> {
  const { files, more } = await api.call("listFiles", {
    params: { board },
    query: { limit: mostListed },
  });
  if (!more || files.some((file) => file.id === id)) return files.some((file) => file.id === id);
  try {
    return (await api.call("getFile", { params: { board, file: name } })).id === id;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

/** The asks for an approval that wait for the person, and that are about a file. */
export const approvalsAskedFor = (board: string, fileId: string): AttentionItem[] =>
  (attention.value?.items ?? []).filter(
    (item) =>
      item.kind === "approval_ask" &&
      item.board === board &&
      item.ref.files?.some(({ id }) => id === fileId),
  );

/** Whether an approval is the person's own. */
export const isOwn = ({ person }: FileRecord["approvals"][number]): boolean =>
  person.kind === "human" && person.origin === undefined && person.name === me.value;
