import type { AttentionVersions } from "../handler.ts";

/** Most people whose last state is kept. If there are more, all are forgotten, and everybody's next version is new. */
const mostPeople = 20_000;

/** Makes versions for the lists of a server. Nothing of an earlier run is repeated, since each run begins with a word of its own. */
export function createAttentionVersions(): AttentionVersions {
  const run = Buffer.from(crypto.getRandomValues(new Uint8Array(9))).toString("base64url");
  const last = new Map<number, { readonly state: bigint | number; readonly version: string }>();
  let given = 0;
  return {
    of(personRow, text) {
      const state = Bun.hash(text);
      const known = last.get(personRow);
      if (known?.state === state) return known.version;
      if (last.size >= mostPeople) last.clear();
      const version = `${run}-${++given}`;
      last.set(personRow, { state, version });
      return version;
    },
  };
}
