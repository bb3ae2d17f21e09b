import { LocalError } from "../../client/machine/local-error.ts";
import { serverFlag, type Args } from "../frame/command.ts";
import { hintedWith, words } from "../frame/suggest.ts";

/** The flags of the commands that tie a session to a pairing request. */
export const sessionFlags = {
  here: { type: "boolean", description: "Use this session." },
  replace: { type: "boolean", description: "Replace the session that is selected." },
  ...serverFlag,
} as const satisfies Args;

/** The details that help shows for these commands. */
export const sessionDetails =
  "Ties this session to your side of the request. The delivery daemon of this build does not do that. Meanwhile the two agents can write to each other with `say TEXT --as NAME`.";

const ends = { decline: "declines it", cancel: "takes it back" } as const;

/** Refuses to tie a session to a pairing request. `end` is the command with which the caller's person ends that request. */
export function needsDaemon(
  { id, server }: { readonly id?: string | undefined; readonly server?: string | undefined },
  end: "decline" | "cancel",
): LocalError {
  const typed = hintedWith({ server });
  return new LocalError(
    "daemon_not_running",
    "Tying a session to a pairing request takes a delivery daemon that does so, and the one of this build does not do that.",
    [
      "The request waits meanwhile, and its two agents can write to each other on their board without it: `service say TEXT --to @NAME --as YOURS`.",
      id === undefined
        ? `A person lists the requests in a terminal: ${typed("pairing list")}.`
        : `Its person ${ends[end]} in a terminal: ${typed(words`pairing ${end} ${id}`)}.`,
    ].join(" "),
  );
}
