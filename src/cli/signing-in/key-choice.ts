import { LocalError } from "../../client/machine/local-error.ts";
import { someOf } from "../terminal/table.ts";

interface Key {
  readonly id: string;
  readonly name: string;
  readonly state?: string;
}

/** Whether a key works. A server that gives no state lists only working keys. */
export const isWorking = ({ state }: Key): boolean => (state ?? "working") === "working";

/** The key that a name or an id means. A name means the working key of that name; ended keys may share it. */
export function oneKey<K extends Key>(keys: readonly K[], wanted: string): K {
  const named = keys.filter((key) => key.id === wanted || key.name === wanted);
  const working = named.filter(isWorking);
  const found = working.length === 1 ? working : named;
  if (found.length === 1) return found[0]!;
  const choices = (found.length ? found : keys).map(({ id, name }) => `${name} (${id})`);
  throw new LocalError(
    "key_not_selected",
    found.length ? `Several keys of yours are named ${wanted}.` : `You have no key ${wanted}.`,
    `${found.length ? "Name one by its id" : "Yours are"}: ${someOf(choices).join(", ")}`,
    { choices },
  );
}
