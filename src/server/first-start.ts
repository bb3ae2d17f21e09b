import { insertServer, saveGeneration, serverRow } from "../db/accounts.ts";
import type { Db, Tx } from "../db/engine/database.ts";
import { newId } from "./ids.ts";
import { normalized } from "./names.ts";
import { createPerson, makeKey } from "./people/create-person.ts";
import type { Secrets } from "./secrets.ts";
import { StartRefused } from "./start-refused.ts";
import { idleKeySeconds } from "./time.ts";

/** The input of a server's first start, which makes its first person. */
interface FirstStart {
  readonly mode: "local" | "team";
  /** The handle of the first person, before it is normalised. */
  readonly firstHandle: string;
  /** The name of their key, before it is normalised. */
  readonly keyName: string;
  /** Called with the first person's key, before the database says that it exists. */
  saveKey(token: string): void;
}

/**
 * The server's identity. An empty database gets one, with a first person, who is a server admin, and their key. The key
 * never ends on a local server, and ends after 90 days without use on a team server. A database without a generation, which
 * an older version of the program made, gets one too.
 */
export async function identity(db: Db, secrets: Secrets, first: FirstStart) {
  const known = db.read(serverRow);
  if (known && known.mode !== first.mode)
    throw new StartRefused(
      "database_mode",
      `This database belongs to a ${known.mode} server and cannot serve as a ${first.mode} one.`,
      "Use another data folder: the keys of one kind of server must not be used on the other.",
    );
  if (known) {
    if (known.generation === null) await db.write((tx) => makeGeneration(tx));
    return { id: known.id, createdPerson: null };
  }
  const token = secrets.create("key");
  first.saveKey(token);
  return db.write((tx) => {
    const id = newId(tx, "srv");
    insertServer(tx, { id, mode: first.mode });
    makeGeneration(tx);
    const person = createPerson(tx, normalized(first.firstHandle), null, "admin");
    makeKey(tx, person, {
      name: normalized(first.keyName),
      digest: secrets.digest(token),
      seconds: first.mode === "local" ? null : idleKeySeconds,
      idle: true,
    });
    return { id, createdPerson: { handle: person.handle } };
  });
}

/** Gives the server a new generation. Clients then know that the positions which they keep may be of another past. */
const makeGeneration = (tx: Tx) => saveGeneration(tx, newId(tx, "gen"));
