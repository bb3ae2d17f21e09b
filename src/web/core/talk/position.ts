import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { api, lastWords } from "../connection/api.ts";
import { connection } from "../connection/live.ts";
import { boardNamed } from "../boards/overview.ts";
import { dropToast, shownToast, toast } from "../screen/toasts.ts";

/** How far a board has been read. */
export interface Position {
  /** Everything up to this place of the log counts as read. It never goes back. */
  readonly upTo: ReadonlySignal<number>;
  /** Moves the position forward. The server is told after a moment of rest. */
  moveTo(seq: number): void;
  /** Marks everything as read up to a place. It can be undone until the server is told. */
  mark(seq: number): void;
}

const restMs = 1_000;
const undoMs = 4_000;

const positions = new Map<string, Position & { readonly leave: () => void }>();

/** How far the person has read a board, here and elsewhere. */
export function positionOf(board: string): Position {
  const known = positions.get(board);
  if (known) return known;
  const made = openPosition(board);
  positions.set(board, made);
  return made;
}

// What was read last is told when the page is left, since it may never be seen again.
const leaveAll = () => {
  for (const { leave } of positions.values()) leave();
};
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") leaveAll();
});
addEventListener("pagehide", leaveAll);

function openPosition(board: string) {
  const read = signal(0);
  const marked = signal(0);
  const told = () => boardNamed(board)?.read_up_to ?? 0;
  const upTo = computed(() => Math.max(told(), read.value, marked.value));
  let timer: ReturnType<typeof setTimeout> | undefined;

  const input = () => ({ params: { board }, body: { up_to: read.value } });
  async function tell(): Promise<void> {
    if (read.value <= told()) return;
    const answer = await api.call("ackBoard", input());
    read.value = Math.max(read.value, answer.read_up_to);
  }
  // Without an answer it is told with the next move, or when the connection is back.
  const tellNow = () => void tell().catch(() => {});
  connection.subscribe(({ state }) => {
    if (state === "live") tellNow();
  });

  let undoing: ReturnType<typeof setTimeout> | undefined;
  function settle(): void {
    clearTimeout(undoing);
    if (marked.value === 0) return;
    read.value = Math.max(read.value, marked.value);
    marked.value = 0;
  }

  return {
    upTo,
    moveTo(seq: number) {
      if (seq <= Math.max(told(), read.value)) return;
      read.value = seq;
      clearTimeout(timer);
      timer = setTimeout(tellNow, restMs);
    },
    mark(seq: number) {
      if (seq <= upTo.value) return;
      settle();
      marked.value = seq;
      const undo = () => {
        clearTimeout(undoing);
        marked.value = 0;
      };
      const note = { text: "Marked as read", action: { label: "Undo", run: undo } };
      toast(note);
      undoing = setTimeout(() => {
        settle();
        tellNow();
        if (shownToast.value === note) dropToast();
      }, undoMs);
    },
    leave() {
      settle();
      clearTimeout(timer);
      if (read.value > told()) void lastWords.call("ackBoard", input()).catch(() => {});
    },
  };
}
