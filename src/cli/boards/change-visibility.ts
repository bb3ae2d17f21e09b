import type { OutputOf } from "../../contract/index.ts";
import { personOnBoard, type AgentFlags, type PersonFlags } from "../acting/acting.ts";
import type { Cli } from "../frame/cli.ts";
import { boardFlags, yesFlag, type Answer } from "../frame/command.ts";
import { confirmed } from "../frame/questions.ts";
import type { ServerRef } from "../../client/machine/servers.ts";
import { counted } from "../terminal/table.ts";

type Change = OutputOf<"setVisibility">;

/** The flags of the commands that open a board or make it private. */
export const visibilityFlags = { ...yesFlag, ...boardFlags };

/** The details that help shows for these commands. */
export const visibilityDetails =
  "For the board's owners. Opening lets everybody on the server join the board and read all of it; the command asks first, and `--yes` skips the question. Making it private stops its join codes and forbids agents to add people.";

type Flags = PersonFlags & Pick<AgentFlags, "board"> & { readonly yes: boolean };

/** Opens a board or makes it private. Opening a private one asks, with the counts of what it reveals. */
export async function changeVisibility(
  cli: Cli,
  flags: Flags,
  visibility: "open" | "private",
): Promise<Answer> {
  const { api, server, board } = await personOnBoard(cli, flags);
  const params = { board };
  const planned =
    visibility === "open" && !flags.yes
      ? await api.call("setVisibility", { params, body: { visibility, dry_run: true } })
      : null;
  if (planned?.changed && !confirmed(cli, questionOf(planned, server)))
    return {
      json: { ...outputOf(planned), after: planned.before, changed: false, reveals: null },
      text: `Board ${board} stays private.`,
    };
  const change = await api.call("setVisibility", { params, body: { visibility } });
  return { json: outputOf(change), text: textOf(change, server) };
}

const outputOf = ({ dry_run: _, ...change }: Change) => change;

function questionOf({ board, reveals }: Change, { url }: ServerRef): string {
  const { messages = 0, files = 0 } = reveals ?? {};
  const shown = [
    counted(messages, "message", "messages"),
    ...(files ? [counted(files, "file", "files")] : []),
  ].join(" and ");
  return `Board ${board} at ${url} is private. Once it is open, everybody on the server may join it and read its ${shown}. Open it?`;
}

function textOf(change: Change, { url }: ServerRef): string {
  const { board, after, changed, join_codes_canceled: codes } = change;
  const where = `Board ${board} at ${url} is ${after}`;
  if (!changed) return `${where} already.`;
  if (after === "open") return `${where}: everybody on the server may join it and read all of it.`;
  const stopped = codes ? ` ${counted(codes, "join code", "join codes")} stopped working.` : "";
  return `${where}: only its people see it. Agents may not add people.${stopped}`;
}
