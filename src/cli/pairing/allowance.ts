import type { AllowanceCategory } from "../../contract/allowance.ts";
import type { OutputOf } from "../../contract/index.ts";
import { allowanceCategories } from "../../contract/words.ts";
import { asPerson, type Person } from "../acting/acting.ts";
import { defineCommand, serverFlag, type Answer } from "../frame/command.ts";
import { usageError } from "../../client/machine/local-error.ts";

const texts: Record<AllowanceCategory, string> = {
  "invite-people": "invite people to the server",
  "add-people": "bring people onto boards",
};

export default defineCommand({
  summary: "Show or set what your agents may do by themselves",
  acts: "person",
  args: {
    change: {
      type: "positional",
      required: false,
      options: ["on", "off", "set"],
      description:
        "on allows everything, off nothing, set what you name. Leave it out to see what is allowed now.",
    },
    categories: {
      type: "positional",
      required: false,
      multiple: true,
      options: allowanceCategories,
      valueHint: "WHAT",
      description: "With set: invite-people, add-people or both.",
    },
    ...serverFlag,
  },
  details:
    "Lets your agents on a server admit people as ordinary members without asking you. An agent never gets more than you and its board allow: `board agents-add-people` is the board's own setting. An agent needs `add-people` to request a pairing with somebody who is not on its board. `invite-people` has no effect yet, because agents cannot invite to a server.",
  examples: [
    ["allowance set add-people", "Agents may bring people onto boards, and nothing more."],
    ["allowance off", "They admit nobody by themselves."],
  ],
  seeAlso: ["pairing request", "board agents-add-people"],
  async run({ args, data: cli }) {
    const wanted = wantedSet(args.change, args.categories as readonly AllowanceCategory[]);
    const person = await asPerson(cli, args);
    return answer(
      person,
      wanted
        ? await person.api.call("setAllowance", { body: { categories: [...wanted] } })
        : await person.api.call("getAllowance"),
    );
  },
});

/** The whole set that was asked for; null when nothing is to change. */
function wantedSet(
  change: "on" | "off" | "set" | undefined,
  given: readonly AllowanceCategory[],
): readonly AllowanceCategory[] | null {
  if (change !== "set" && given.length > 0)
    throw usageError("Only `set` takes what is allowed.", "Write `service allowance set WHAT`.");
  const isKnown = given.every((each) => allowanceCategories.includes(each));
  if (change === "set" && (given.length === 0 || !isKnown))
    throw usageError(
      "`set` needs what is allowed.",
      "Name `invite-people`, `add-people` or both; `service allowance off` allows nothing.",
    );
  if (change === "set") return [...new Set(given)];
  return change === undefined ? null : change === "on" ? allowanceCategories : [];
}

type Allowance = OutputOf<"getAllowance">;

function answer({ server }: Person, allowance: Allowance): Answer {
  const what = allowance.categories.map((each) => texts[each]).join(" and ");
  return {
    json: { server, allowance },
    text: [
      what
        ? `Your agents at ${server.url} may ${what} by themselves.`
        : `Your agents at ${server.url} may let nobody in by themselves.`,
      ...(allowance.warning ? [allowance.warning] : []),
    ].join("\n"),
  };
}
