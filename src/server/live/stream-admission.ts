import { operationNamed } from "../../contract/index.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { admit } from "../access/admit.ts";
import type { Caller, Presented } from "../access/identify.ts";

/** Admits a credential to the stream, with the refusals of any operation. */
export const admitToStream = (tx: ReadTx, presented: Presented): Caller =>
  (admit(tx, operationNamed("stream"), presented, {}) as { caller: Caller }).caller;

/** The caller of a stream's credential; null once the credential no longer works. */
export function stillAdmitted(tx: ReadTx, presented: Presented): Caller | null {
  try {
    return admitToStream(tx, presented);
  } catch {
    return null;
  }
}
