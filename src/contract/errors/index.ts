import { agentErrors } from "./agents.ts";
import { askErrors } from "./asks.ts";
import { attentionErrors } from "./attention.ts";
import { backupErrors } from "./backups.ts";
import { boardErrors } from "./boards.ts";
import { credentialErrors } from "./credentials.ts";
import { deliveryErrors } from "./delivery.ts";
import { fileErrors } from "./files.ts";
import { joiningErrors } from "./joining.ts";
import { keyErrors } from "./keys.ts";
import { messageErrors } from "./messages.ts";
import { pairingErrors } from "./pairing.ts";
import { peopleErrors } from "./people.ts";
import { requestErrors } from "./requests.ts";
import { taskErrors } from "./tasks.ts";

/** One entry of the table. */
export interface ErrorEntry {
  readonly status: number;
  /** One sentence: what happened. Names in braces are filled in by the refusal. */
  readonly message: string;
  /** What to do next, as a command if there is one. May use the names of the message. */
  readonly hint: string;
  /** The code on the wire, if it is not the entry's name. Several entries can share a code. */
  readonly code?: string;
}

/** Every refusal the service can answer, declared once. Codes are stable and never reused. */
export const errors = {
  ...requestErrors,
  ...credentialErrors,
  ...boardErrors,
  ...joiningErrors,
  ...peopleErrors,
  ...agentErrors,
  ...keyErrors,
  ...messageErrors,
  ...deliveryErrors,
  ...taskErrors,
  ...askErrors,
  ...fileErrors,
  ...pairingErrors,
  ...attentionErrors,
  ...backupErrors,
} as const satisfies Record<string, ErrorEntry>;

/** The name of an entry of the error table. */
export type ErrorName = keyof typeof errors;
