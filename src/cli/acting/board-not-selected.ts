import { LocalError } from "../../client/machine/local-error.ts";

const refusal = (message: string, hint: string, choices: readonly string[]) =>
  new LocalError("board_not_selected", message, hint, { choices });

/** How a guest joins a board. `join` is the command as it is shown. */
export const guestsWay = (join: string): string =>
  `Somebody on a board brings you there with a code: ${join}`;

/** The refusal when the person has no active board, or several and none is named. */
export function noBoard(names: readonly string[], archived: number, guest: boolean): LocalError {
  if (names.length)
    return refusal(
      "You are on several boards.",
      `Add \`--board NAME\` or set SERVICE_BOARD; yours are ${names.join(", ")}.`,
      names,
    );
  const comes = guest
    ? `${guestsWay("`service join CODE`")}.`
    : "Make one with `service pair` or `service board new NAME`, or join an open one: `service boards --all`.";
  return refusal(
    archived
      ? "Every board that you are on is archived."
      : `You are on no board${guest ? "" : " yet"}.`,
    `${archived ? "`service boards --archived` lists them. " : ""}${comes}`,
    names,
  );
}

/** The refusal when a command needs an archived board and none is named. */
export function noArchivedBoard(names: readonly string[]): LocalError {
  if (names.length)
    return refusal(
      "No archived board is named.",
      `Add \`--board NAME\`; your archived boards are ${names.join(", ")}.`,
      names,
    );
  return refusal(
    "No board that you are on is archived.",
    "`service boards --all --archived` lists all that you see. Archive one with `service board archive --board NAME`.",
    names,
  );
}
