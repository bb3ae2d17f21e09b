import { signal, type ReadonlySignal } from "@preact/signals";
import { nearBoardName } from "../../../client/file-name.ts";
import type { OutputOf } from "../../../contract/index.ts";
import { largestFile } from "../../../contract/limits.ts";
import { ApiError, Unreachable } from "../connection/api.ts";
import { connection } from "../connection/live.ts";
import { sendBytes, type FileQuery, type Sending } from "./send-bytes.ts";

export type WrittenFile = OutputOf<"putFile">;

/** How far an upload has come. */
export type UploadStep =
  /** It waits until others are through. */
  | { readonly at: "waits" }
  | { readonly at: "runs"; readonly sent: number }
  /** The board has a file of this name, or another version than was meant: the person says what is to happen. */
  | { readonly at: "exists"; readonly version: number; readonly by: string }
  /** It was stopped, or the connection was lost. It goes on when the person or the connection says so. */
  | { readonly at: "stopped"; readonly why: string }
  /** The server does not take these bytes. */
  | { readonly at: "refused"; readonly why: string }
  | { readonly at: "done"; readonly file: WrittenFile };

/** Bytes on their way to be a version of a file. */
export interface Upload {
  readonly id: string;
  readonly board: string;
  readonly size: number;
  readonly name: ReadonlySignal<string>;
  readonly step: ReadonlySignal<UploadStep>;
  /** Stops it. */
  stop(): void;
  /** Goes on after it was stopped, under the same key: what the server has stored already is not stored again. */
  again(): void;
  /** Writes it as the next version of the file that has its name. */
  asVersion(): void;
  /** Writes it under another name. */
  rename(name: string): void;
}

const mostAtOnce = 3;
const running = new Set<object>();
const waiting: (() => void)[] = [];

/** Lets the next ones run that wait for their turn. */
function letOthersRun(): void {
  while (running.size < mostAtOnce && waiting.length > 0) waiting.shift()!();
}

const wereLost = new Set<() => void>();
connection.subscribe(({ state }) => {
  if (state !== "live") return;
  for (const goOn of wereLost) goOn();
  wereLost.clear();
});

/**
 * Begins to write bytes as a version of a file, three of them at a time. `query` says the rest as `putFile` takes it; a name
 * that no board takes becomes one that is near to it. `id` continues an upload that this browser began before.
 */
export function upload(
  board: string,
  bytes: Blob,
  query: FileQuery,
  id: string = crypto.randomUUID(),
): Upload {
  const name = signal(nearBoardName(query.name));
  const step = signal<UploadStep>({ at: "waits" });
  const turn = {};
  let key = id;
  let given = query;
  let sending: Sending | null = null;

  const set = (next: UploadStep) => {
    step.value = next;
  };
  const end = (next: UploadStep) => {
    sending = null;
    running.delete(turn);
    set(next);
    letOthersRun();
  };

  async function run(): Promise<void> {
    if (step.value.at !== "waits") return;
    running.add(turn);
    set({ at: "runs", sent: 0 });
    const mine = sendBytes(board, { ...given, name: name.value }, bytes, key, (sent) => {
      if (sending === mine) set({ at: "runs", sent });
    });
    sending = mine;
    try {
      const file = await mine.answer;
      if (sending === mine) end({ at: "done", file });
    } catch (error) {
      if (sending === mine) end(stepAfter(error));
    }
  }

  /** What a failure leaves to do. */
  function stepAfter(error: unknown): UploadStep {
    if (!(error instanceof ApiError)) {
      wereLost.add(goOn);
      return {
        at: "stopped",
        why: error instanceof Unreachable ? "The connection was lost." : "It could not be read.",
      };
    }
    if (error.code === "file_exists" || error.code === "file_changed") {
      const { version = 0, by } = (error.details ?? {}) as {
        version?: number;
        by?: { name?: string };
      };
      return { at: "exists", version, by: by?.name ?? "" };
    }
    const isLater = error.status >= 500 || error.status === 429 || error.status === 401;
    if (error.status === 429) setTimeout(goOn, (error.retryAfter ?? 1) * 1_000);
    else if (isLater) wereLost.add(goOn);
    return { at: isLater ? "stopped" : "refused", why: error.message };
  }

  function begin(): void {
    set({ at: "waits" });
    waiting.push(() => void run());
    letOthersRun();
  }
  function goOn(): void {
    wereLost.delete(goOn);
    if (step.value.at === "stopped") begin();
  }
  /** Another request needs another key. */
  function beginAnew(): void {
    key = crypto.randomUUID();
    begin();
  }

  if (bytes.size > largestFile)
    set({ at: "refused", why: `A file has at most ${largestFile / 1024 / 1024} MiB.` });
  else begin();

  return {
    id,
    board,
    size: bytes.size,
    name,
    step,
    stop() {
      wereLost.delete(goOn);
      const now = step.value.at;
      if (now !== "runs" && now !== "waits") return;
      const { abort } = sending ?? {};
      end({ at: "stopped", why: "Stopped." });
      abort?.();
    },
    again: goOn,
    asVersion() {
      const now = step.value;
      if (now.at !== "exists") return;
      given = { ...given, base: now.version };
      beginAnew();
    },
    rename(other) {
      if (step.value.at === "runs" || step.value.at === "done") return;
      const { base: _, ...rest } = given;
      given = rest;
      name.value = nearBoardName(other);
      beginAnew();
    },
  };
}
