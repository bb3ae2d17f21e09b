import { rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ApiError, type Client } from "../../../client/client.ts";
import { LocalError, usageError } from "../../../client/machine/local-error.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { isPassing } from "../../connection/waiting.ts";
import { saveAs } from "../../files/save-file.ts";
import type { Cli } from "../../frame/cli.ts";
import { cleaningUp } from "../../frame/on-signal.ts";
import { joinedArchive } from "./joined-archive.ts";
import { receiveArchive, type Receiving } from "./receive-archive.ts";
import { verifyArchive, type Verified } from "./verify-archive.ts";

/** What a copy is kept of, and how often it is looked after. */
export interface Following extends Receiving {
  readonly everyMs: number;
  /** Called with the copy whenever it has become newer, and at the beginning. */
  kept(copy: Verified, bytes: number): Promise<void>;
  /** Called when the server cannot be reached, once until it is back. */
  lost(): void;
}

/**
 * Keeps an archive of a board up to date, as long as the board can be read. Each time only what came since is fetched; the new
 * archive is verified whole before it takes the place of the one before. With an archive at its place it goes on from there.
 * Throws when the board cannot be read any more, and when its log is not the one of the archive.
 */
export async function followBoard(
  cli: Cli,
  api: Pick<Client, "call" | "exportBoard">,
  { everyMs, kept, lost, ...to }: Following,
): Promise<never> {
  let copy = await copyAt(cli, to);
  if (to.since !== undefined && (copy?.head.seq ?? 0) < to.since)
    throw usageError(
      `${to.shown} ends at #${copy?.head.seq ?? 0}, and not at #${to.since} or later.`,
      "Name the copy that is to go on, or leave out `--since`.",
    );
  const { since: _, ...place } = to;
  if (copy) await kept(copy, statSync(to.target.path).size);
  for (let isThere = true; ; await cli.clock.sleep(everyMs))
    try {
      const { id, head_seq } = await api.call("getBoard", { params: { board: to.board } });
      isThere = true;
      if (copy && copy.board.id !== id) throw otherBoard(to);
      if (copy?.head.seq === head_seq) continue;
      copy = copy ? await extended(cli, api, place, copy) : await receiveArchive(cli, api, place);
      await kept(copy, statSync(to.target.path).size);
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (isThere) lost();
      isThere = false;
    }
}

/** The archive that is at the place already. Refuses whatever else is there: it is not ours to replace. */
async function copyAt(cli: Cli, { target, shown, board }: Receiving): Promise<Verified | null> {
  if (!target.there) return null;
  try {
    return await verifyArchive(target.path);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw usageError(
      `${shown} is no whole archive of a board: ${String(error.details?.["problem"])}.`,
      `Name another path with \`-o\`, or remove it; then the whole board is fetched: \`${cli.typed(`board export ${board} --follow`)}\``,
    );
  }
}

/** Fetches what came since, and joins both. The server says which event the part follows: another one is another log. */
async function extended(
  cli: Cli,
  api: Pick<Client, "exportBoard">,
  to: Receiving,
  copy: Verified,
): Promise<Verified> {
  const { target } = to;
  const path = join(
    dirname(target.path),
    `.${basename(target.path).slice(0, 90)}.${crypto.randomUUID()}.since`,
  );
  const remove = () => rmSync(path, { force: true });
  return cleaningUp(cli, remove, async () => {
    try {
      const { seq, hash } = copy.head;
      const part = { path, there: null };
      const came = await receiveArchive(cli, api, { ...to, target: part, since: seq }).catch(
        (error: unknown) => {
          throw error instanceof ApiError && error.code === "board_head_changed"
            ? otherLog(to, seq)
            : error;
        },
      );
      if (came.since.hash !== hash) throw otherLog(to, seq);
      const { body } = await joinedArchive(target.path, path);
      let found: Verified | null = null;
      await saveAs(cli, target, body, async (whole) => void (found = await verifyArchive(whole)));
      return found!;
    } finally {
      remove();
    }
  });
}

const otherBoard = ({ shown, board }: Receiving): LocalError =>
  usageError(`${shown} is a copy of another board than ${board}.`, "Name another path with `-o`.");

const otherLog = ({ shown, board }: Receiving, seq: number): LocalError =>
  new LocalError(
    "board_head_changed",
    `The log of ${board} is not the one of ${shown} up to #${seq}: the server was restored from a backup, or somebody changed it. ${shown} stays as it is.`,
    "Look at what is missing there, and keep this copy. For a new one name another path with `-o`.",
  );
