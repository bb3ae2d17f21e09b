import type { Access } from "../../contract/access.ts";
import type { MemberAndHandle, MemberRow } from "../../db/members.ts";
import type { MessageRow } from "../../db/messages.ts";
import type { PairingOfCaller } from "./pairing-sides.ts";
import type { OnBoard, Reach, Seen } from "./visible-boards.ts";
import type { Caller } from "./identify.ts";

/** A caller and the pairing that they are a side of. */
export interface Party extends PairingOfCaller {
  readonly caller: Caller;
}
interface Standings {
  anyone: { readonly caller: null };
  caller: { readonly caller: Caller };
  "server-admin": { readonly caller: Caller };
  seat: OnBoard;
  "sees-board": Seen;
  "on-board": OnBoard;
  "owns-board": OnBoard;
  "administers-board": OnBoard;
  "reaches-board": Reach;
  "keeps-board": Reach;
  "reads-message": OnBoard & { readonly message: MessageRow };
  "party-to-pairing": Party;
  "party-on-board": Party & { readonly me: MemberRow };
  /** Null if the request names no agent. */
  "own-agent": { readonly caller: Caller; readonly agent: MemberAndHandle | null };
}
/** What `admit` has proved about the caller. A handler gets exactly what its operation's access promises. */
export type Standing<A extends Access = Access> = Standings[A];
