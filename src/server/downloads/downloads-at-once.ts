import { refuse } from "../../contract/refusal.ts";

const mostForAddress = 4;
const mostInAll = 16;

/** Counts downloads of programs, and refuses those past a limit: a program is large, and anybody may ask for it. */
export interface DownloadsAtOnce {
  /** Counts a download until the returned function is called, which may be called twice. */
  begin(address: string): () => void;
}

/** Makes the count for a server. */
export function createDownloadsAtOnce(): DownloadsAtOnce {
  const running = new Map<string, number>();
  let all = 0;
  return {
    begin(address) {
      const own = running.get(address) ?? 0;
      if (own >= mostForAddress || all >= mostInAll)
        throw refuse("too_many_downloads", { most: mostForAddress, in_all: mostInAll });
      running.set(address, own + 1);
      all++;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        all--;
        const left = (running.get(address) ?? 1) - 1;
        if (left > 0) running.set(address, left);
        else running.delete(address);
      };
    },
  };
}
