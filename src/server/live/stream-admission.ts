import { operationNamed } from "../../contract/index.ts";
import type { StreamName } from "../../contract/streams.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { admit } from "../access/admit.ts";
import type { OnBoard } from "../access/visible-boards.ts";
import type { Caller, Presented } from "../access/identify.ts";

interface Admitted {
  stream: { readonly caller: Caller };
  streamInbox: OnBoard;
}

/** Admits a credential to a stream, with the refusals of any operation. */
export const admitToStream = <S extends StreamName>(
  tx: ReadTx,
  name: S,
  presented: Presented,
): Admitted[S] => admit(tx, operationNamed(name), presented, {}) as Admitted[S];

/** The caller of a person's stream; null once the credential no longer works. */
export function stillAdmitted(tx: ReadTx, presented: Presented): Caller | null {
  try {
    return admitToStream(tx, "stream", presented).caller;
  } catch {
    return null;
  }
}
