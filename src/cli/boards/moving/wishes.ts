import { LocalError, usageError } from "../../../client/machine/local-error.ts";
import { boardNameForm, handleForm, insideOf } from "../../../contract/forms.ts";
import type { Person } from "../../acting/acting.ts";
import { flagsTo, typedWith } from "../../frame/suggest.ts";
import type { Cli } from "../../frame/cli.ts";
import { oneLine } from "../../terminal/clean.ts";

/** What a person wants of a board at its new place: a name, and who gets whose membership. */
export interface Wishes {
  readonly name?: string | undefined;
  /** Each `@HANDLE=@LOCAL`. */
  readonly person: readonly string[];
}

const pairForm = new RegExp(`^@(?<from>${insideOf(handleForm)})=@(?<to>${insideOf(handleForm)})$`);
const nameForm = new RegExp(boardNameForm);

/** Refuses wishes that no server takes. Gives the pairs of handles, of there and of here. */
export function pairsOf({ name, person }: Wishes): [from: string, to: string][] {
  if (name !== undefined && !nameForm.test(name))
    throw usageError(
      `${oneLine(name)} is no name for a board.`,
      "It has 2 to 40 lowercase letters, digits and dashes, and no dash first or last, such as `--name docs-2`.",
    );
  return person.map((each) => {
    const { from, to } = pairForm.exec(each)?.groups ?? {};
    if (from !== undefined && to !== undefined) return [from, to];
    throw usageError(
      `${oneLine(each)} does not name two people.`,
      "Write somebody of the archive and somebody of the server that gets it: `--person @ada=@ada-l`.",
    );
  });
}

/** Refuses people who are not on a board, or not at the server that it moves to: an archive would stop everybody on it first. */
export async function requirePeople(
  cli: Cli,
  board: string,
  pairs: readonly (readonly [from: string, to: string])[],
  { from, to }: { readonly from: Person; readonly to: Person },
): Promise<void> {
  if (pairs.length === 0) return;
  const nothing = "Nothing was changed.";
  const { people: here } = await from.api.call("listPeople", { params: { board } });
  const answer = await to.api.call("listServerPeople");
  const there = "people" in answer ? answer.people : [];
  for (const [foreign, local] of pairs) {
    if (!here.some(({ handle }) => handle === foreign)) {
      const typed = typedWith(cli, { board, ...flagsTo(cli, from.server) });
      throw new LocalError(
        "person_not_on_board",
        `@${foreign} is not on board ${board} at ${from.server.url}.`,
        `${nothing} Who is: \`${typed("board people")}\``,
      );
    }
    if (!there.some(({ handle }) => handle === local))
      throw new LocalError(
        "person_not_found",
        `There is nobody called @${local} at ${to.server.url}.`,
        `${nothing} Everyone there: \`${typedWith(cli, flagsTo(cli, to.server))("people")}\``,
      );
  }
}
