/** So many characters wait at most for a reader that takes nothing. What comes then is dropped, and counted in a line. */
const mostWaiting = 1024 * 1024;
/** How long the end of a process waits for its last texts, in milliseconds. */
const lastWaitMs = 2_000;

/** Writes texts in their order, one after the other, while nobody waits for them. */
export interface LaterWriter {
  later(text: string): void;
  /** Resolves when everything was written, or after two seconds. */
  written(): Promise<void>;
}

/** Makes a writer. A text that cannot be written, as on a full disk, is lost. */
export function laterWriter(write: (text: string) => Promise<unknown>): LaterWriter {
  let waiting = "";
  let dropped = 0;
  let writing: Promise<void> | null = null;

  async function writeOn(): Promise<void> {
    while (waiting !== "") {
      const text = waiting + (dropped ? `${dropped} lines were dropped: nobody read them.\n` : "");
      waiting = "";
      dropped = 0;
      await write(text).catch(() => {});
    }
    writing = null;
  }

  return {
    later(text) {
      if (waiting.length + text.length > mostWaiting) dropped++;
      else waiting += text;
      writing ??= writeOn();
    },
    async written() {
      if (writing === null) return;
      const limit = new Promise((resolve) => setTimeout(resolve, lastWaitMs).unref());
      await Promise.race([writing, limit]);
    },
  };
}
