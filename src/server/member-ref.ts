import type { Static } from "@sinclair/typebox";
import type { MemberRef } from "../contract/scalars.ts";
import type { ReadTx } from "../db/engine/database.ts";
import { memberAt, type MemberAndHandle } from "../db/members.ts";

/** The short record with which other records name a member. */
export const memberRef = (member: MemberAndHandle): Static<typeof MemberRef> => ({
  name: member.name,
  kind: member.kind,
  role: member.role,
  owner: member.kind === "agent" ? member.handle : null,
  ...(member.origin !== null && { origin: member.origin }),
});
/** The same short record for the member of a row. */
export const memberRefAt = (tx: ReadTx, row: number) => memberRef(memberAt(tx, row)!);
