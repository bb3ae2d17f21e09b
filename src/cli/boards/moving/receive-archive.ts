import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { archiveInvalid } from "../../../board-archive/archive-invalid.ts";
import { counted } from "../../../client/bytes.ts";
import type { Client } from "../../../client/client.ts";
import { LocalError } from "../../../client/machine/local-error.ts";
import { Refusal } from "../../../contract/refusal.ts";
import type { Target } from "../../files/local-file.ts";
import { saveAs } from "../../files/save-file.ts";
import type { Cli } from "../../frame/cli.ts";
import { watched } from "../../frame/progress.ts";
import { words } from "../../frame/suggest.ts";
import { oneLine } from "../../terminal/clean.ts";
import { size } from "../../terminal/size-text.ts";
import { verifyArchive, type Verified } from "./verify-archive.ts";

/** Where an archive goes, and how it is called in what the command prints. */
export interface Receiving {
  readonly board: string;
  readonly target: Target;
  readonly shown: string;
  /** Only what came after this event. */
  readonly since?: number | undefined;
}

/** An archive that is in its place. */
interface Received extends Verified {
  readonly bytes: number;
}

/** Has a server export a board, and verifies the archive before it takes its place. Whatever goes wrong leaves what was there. */
export async function receiveArchive(
  cli: Cli,
  api: Pick<Client, "exportBoard">,
  { board, target, shown, since }: Receiving,
): Promise<Received> {
  const query = since ? { since } : {};
  const archive = await api.exportBoard({ params: { board }, query });
  try {
    requireRoom(archive.size, target.path);
  } catch (error) {
    await archive.body.cancel().catch(() => {});
    throw error;
  }
  const watch = watched(cli, "Receiving", shown, archive.size);
  const { onProgress } = watch;
  let found: Verified | null = null;
  try {
    const bounded = atMost(archive.body, archive.size);
    await saveAs(
      cli,
      target,
      onProgress ? counted(bounded, onProgress) : bounded,
      async (part) =>
        void (found = await verifyArchive(part, { announced: archive.size, after: since ?? 0 })),
    );
  } catch (error) {
    throw error instanceof Refusal ? notWhole(cli, board, error) : error;
  } finally {
    watch.end();
  }
  return { ...found!, bytes: archive.size };
}

/** What an archive leaves free on a disk: so many bytes, or the eighth of what is free there now, if that is less. */
const reserve = 64 * 1024 * 1024;

/** Refuses an archive that does not fit on the disk, before any of it is written: a server may announce any size. */
function requireRoom(announced: number, path: string): void {
  if (!Number.isSafeInteger(announced))
    throw new LocalError(
      "board_archive_invalid",
      "The server does not say how many bytes the archive has. Nothing was written.",
      "`service status` names the server that answers, and its version.",
    );
  const { bavail, bsize } = statfsSync(dirname(path));
  const unused = bavail * bsize;
  const free = unused - Math.min(reserve, unused / 8);
  if (announced > free)
    throw new LocalError(
      "disk_full",
      `The server announces an archive of ${size(announced)}, and there is room for ${size(free)} at ${oneLine(dirname(path))}. Nothing was written.`,
      "Make room there. `service board export BOARD -o FILE` writes it to another disk.",
    );
}

/** The same bytes. More of them than were announced are refused when they come, so that they fill no disk. */
function atMost(bytes: ReadableStream<Uint8Array>, announced: number): ReadableStream<Uint8Array> {
  let left = announced;
  return bytes.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.length;
        if (left < 0)
          throw archiveInvalid(`it has more than the ${announced} bytes that the server announced`);
        controller.enqueue(chunk);
      },
    }),
  );
}

const notWhole = (cli: Cli, board: string, { details }: Refusal): LocalError =>
  new LocalError(
    "board_archive_invalid",
    `What came is not the whole board: ${String(details?.["problem"])}. Nothing was written.`,
    `Check the board itself: \`${cli.typed(`audit verify --board ${words`${board}`}`)}\`.`,
  );
