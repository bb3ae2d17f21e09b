import type { Client } from "../../../src/client/client.ts";
import type { Db } from "../../../src/db/engine/database.ts";
import type { Harness } from "../../../src/daemon/harnesses/harness.ts";

/**
 * Counts the steps of a daemon and cuts its power at one of them: before or after a write of its journal, a request to its
 * server, and an act of its harness. From then on nothing that it does has an effect. `onCut` runs at that very moment.
 */
export function powerCut(cutAt: number, onCut: () => void) {
  const state = { steps: 0, isCounting: false, isOff: false };
  const off = () => new Error("the power is off");
  function step(): void {
    if (state.isOff) throw off();
    if (!state.isCounting || ++state.steps !== cutAt) return;
    state.isOff = true;
    onCut();
    throw off();
  }
  async function around<T>(act: () => Promise<T>): Promise<T> {
    step();
    const done = await act();
    step();
    return done;
  }
  return {
    state,
    journal: (db: Db): Db => ({ ...db, write: (work) => around(() => db.write(work)) }),
    client: (client: Client): Client => ({
      ...client,
      call: (...given) => around(() => client.call(...given)),
      follow: async function* (...given: Parameters<Client["follow"]>) {
        for await (const one of client.follow(...given)) {
          if (state.isOff) throw off();
          yield one;
        }
      } as Client["follow"],
    }),
    harness({ wake, ...adapter }: Partial<Harness>): Partial<Harness> {
      if (wake === undefined) return adapter;
      if (wake.kind === "push") {
        const hand: typeof wake.hand = (...given) => around(() => wake.hand(...given));
        const fate: typeof wake.fate = (...given) => around(() => wake.fate(...given));
        return { ...adapter, wake: { ...wake, hand, fate } };
      }
      const ring = (session: string) => {
        step();
        wake.ring(session);
        step();
      };
      return { ...adapter, wake: { ...wake, ring } };
    },
  };
}
