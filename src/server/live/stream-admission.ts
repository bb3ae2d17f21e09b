import { operationNamed } from "../../contract/index.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { admit } from "../access/admit.ts";
import type { Caller, Presented } from "../access/identify.ts";

/** Admits a credential to the stream, or refuses it as any operation would. */
export const admitToStream = (tx: ReadTx, presented: Presented): Caller =>
  (admit(tx, operationNamed("stream"), presented, {}) as { caller: Caller }).caller;

/** The caller of a stream's credential while it works, else null. */
export function stillAdmitted(tx: ReadTx, presented: Presented): Caller | null {
  try {
    return admitToStream(tx, presented);
  } catch {
    return null;
  }
}
