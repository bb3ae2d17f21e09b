import { shellWord } from "../../contract/shell-word.ts";
import { LocalError } from "../../client/machine/local-error.ts";

const ends = { decline: "declines it", cancel: "takes it back" } as const;

/** The refusal of a command that ties a session to a pairing request, with the word that ends it for whoever typed it. */
export function needsDaemon(
  { id, server }: { readonly id?: string | undefined; readonly server?: string | undefined },
  end: "decline" | "cancel",
): LocalError {
  const typed = (words: string) =>
    `\`service pairing ${words}${server === undefined ? "" : ` --server ${shellWord(server)}`}\``;
  return new LocalError(
    "daemon_not_running",
    "Tying a session to a pairing request takes a delivery daemon, and this build has none.",
    [
      "The request waits meanwhile, and its two agents can write to each other on their board without it: `service say TEXT --to @NAME --as YOURS`.",
      id === undefined
        ? `Its person sees in a terminal which there are: ${typed("list")}.`
        : `Its person ${ends[end]} in a terminal: ${typed(`${end} ${shellWord(id)}`)}.`,
    ].join(" "),
  );
}
