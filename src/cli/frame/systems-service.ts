import { existsSync } from "node:fs";
import { usageError } from "../../client/machine/local-error.ts";
import { shellWord } from "../../contract/shell-word.ts";

/** What people and scripts tell Linux's own `service` to do with a service. */
const acts = ["start", "stop", "restart", "reload", "force-reload", "try-restart", "status"];

/** Where Linux has its own program of this name. */
const places = ["/usr/sbin/service", "/sbin/service"];

/**
 * The refusal of words that are for Linux's own `service`, such as `ssh restart`, with the line for it; null if they are not,
 * or this machine has no such program. Where a PATH has this program first, whoever means that one gets here.
 */
export function meantForSystem(first: string, second: string | undefined): Error | null {
  const isMeant = first === "--status-all" || (second !== undefined && acts.includes(second));
  const place = isMeant ? places.find((path) => existsSync(path)) : undefined;
  if (place === undefined) return null;
  const words = [first, second].flatMap((word) => (word === undefined ? [] : shellWord(word)));
  return usageError(
    `There is no command \`${first}\`.`,
    `For a service of this system: \`${place} ${words.join(" ")}\`. For this program: \`service help\`.`,
  );
}
