import type { Cli } from "../../frame/cli.ts";
import { askFor, confirmed } from "../../frame/questions.ts";
import { usageError } from "../../../client/machine/local-error.ts";
import { installedHarnesses } from "../entries/installed.ts";
import { namedHarnesses } from "../entries/places.ts";
import type { Wishes } from "../entries/setup-types.ts";

interface Answered {
  readonly harness?: string | undefined;
  readonly scope?: string | undefined;
  readonly allowCommands: boolean;
}

/** Shows in a terminal what is set up, and asks what no flag has answered. */
export async function askWishes(cli: Cli, wishes: Wishes, flags: Answered): Promise<Wishes> {
  const { global, project } = installedHarnesses(cli);
  await cli.print(
    [
      `Set up for all of your sessions: ${global.join(", ") || "no harness"}.`,
      ...(project.length > 0 ? [`Set up in this folder: ${project.join(", ")}.`] : []),
    ].join("\n"),
  );
  const names = wishes.profiles.map(({ harness }) => harness).join(",");
  const profiles =
    flags.harness === undefined && names !== ""
      ? namedHarnesses(askFor(cli, "Harnesses to set up, with commas", names))
      : wishes.profiles;
  const scope =
    flags.scope === undefined
      ? scopeOf(
          askFor(
            cli,
            "For all of your sessions (global), or those in this folder (project)",
            "global",
          ),
        )
      : wishes.scope;
  const allowCommands =
    flags.allowCommands || confirmed(cli, "May sessions run this program without a question?");
  return { scope, profiles, allowCommands };
}

function scopeOf(word: string): Wishes["scope"] {
  if (word === "global" || word === "project") return word;
  throw usageError(`There is no scope ${word}.`, "Write `global` or `project`.");
}
