import { profiles } from "../../client/harnesses/index.ts";
import type { HarnessProfile } from "../../client/harnesses/profile.ts";
import type { Cli } from "../frame/cli.ts";
import { defineCommand, type Answer, type Args } from "../frame/command.ts";
import { typedHere } from "../frame/output.ts";
import { confirmed, mayAsk } from "../frame/questions.ts";
import { againWithYes } from "../frame/suggest.ts";
import { applyPlan } from "./plan/apply-plan.ts";
import { askWishes } from "./plan/ask-wishes.ts";
import { deliveryText, keptDelivery } from "./plan/kept-delivery.ts";
import { isDetected, namedHarnesses, refuseProject } from "./entries/places.ts";
import {
  adviceText,
  consentText,
  extensionText,
  homeText,
  isChange,
  planText,
} from "./plan/plan-text.ts";
import { planSetup } from "./plan/plan-setup.ts";
import type { SetupPlan, Wishes } from "./entries/setup-types.ts";
import { setupState } from "./entries/setup-state.ts";
import { refuseWithoutCodex, trustOwnHooks } from "./entries/trust.ts";
import { applyTools, planTools, type ToolsPlan } from "./tools.ts";
import { bothScopes } from "./entries/two-scopes.ts";

const args = {
  yes: { type: "boolean", description: "Write it, without a question." },
  scope: {
    type: "string",
    options: ["global", "project"],
    description: "All of your sessions (global), or those in this folder (else global).",
  },
  harness: {
    type: "string",
    valueHint: "H[,H]",
    description: "claude-code, codex, opencode; several with commas (else each that is found).",
  },
  delivery: {
    type: "string",
    options: ["focused", "all", "humans", "off"],
    description: "A mode for agents on servers that hold none.",
  },
  allowCommands: {
    type: "boolean",
    description: "Let sessions run this program without a question.",
  },
  trustHooks: {
    type: "boolean",
    description: "Tell Codex that you trust these hooks, after showing them.",
  },
  mcp: {
    type: "boolean",
    description: "Also add our tools, for agents that call tools rather than a shell.",
  },
} as const satisfies Args;

export default defineCommand({
  summary: "Set up your sessions, so that messages reach them",
  // What lets sessions do more is the person's to decide.
  acts: ({ delivery, allowCommands, trustHooks, mcp }) =>
    delivery || allowCommands || trustHooks || mcp ? "person" : "neutral",
  args,
  details: [
    "Writes hooks, or an extension, and a skill into the settings of the harnesses that your agents run in. First it shows each file and what happens to it; without `--yes` it writes nothing, except after your yes in a terminal.",
    "Everything else in those files stays as it is. A second run changes nothing, and `uninstall` takes everything back. A file that is not whole is named, and then nothing at all is written.",
    "Hooks and rules name this program by its absolute path. After moving the program, run it again.",
  ].join("\n"),
  examples: [
    ["init", "See what would be written, and be asked."],
    ["init --yes", "Set up every harness that is found, for all of your sessions."],
    ["init --yes --allow-commands", "Also let sessions run it without a question."],
    ["init --trust-hooks", "Also tell Codex that you trust the hooks."],
    ["init --yes --scope project --harness claude-code", "For sessions in this folder alone."],
  ],
  seeAlso: ["doctor", "uninstall", "status"],
  async run({ args: flags, data: cli }): Promise<Answer> {
    const asks = mayAsk(cli) && !flags.yes;
    const found = profiles.filter((profile) => isDetected(cli, profile));
    const named = flags.harness === undefined ? found : namedHarnesses(flags.harness);
    const given: Wishes = {
      scope: flags.scope ?? "global",
      profiles: [...named].sort((one, other) => (one.harness < other.harness ? -1 : 1)),
      allowCommands: flags.allowCommands,
    };
    const wishes = asks ? await askWishes(cli, given, flags) : given;
    if (flags.trustHooks) refuseWithoutCodex(wishes);
    if (wishes.scope === "project") refuseProject(cli, wishes.profiles);
    const state = await setupState(cli, wishes.profiles);
    const tools = flags.mcp ? await planTools(cli, state.program, wishes) : [];
    const plan = withTools(planSetup(state, wishes), tools);
    const notes = [
      ...bothScopes(state, wishes),
      ...homeText(state.program),
      ...extensionText(plan, state.program),
      ...adviceText(plan, state),
      ...tools.flatMap(({ byHand }) => (byHand === null ? [] : [byHand])),
    ];
    const delivery = keptDelivery(cli, flags.delivery);
    const shown = [
      planText(plan, state.program.hookStart),
      ...notes,
      ...deliveryText(delivery),
    ].join("\n\n");
    const isNew = isChange(plan) || delivery?.action === "update";
    const goesOn = flags.yes || (asks && (!isNew || (await agreed(cli, shown))));
    const applied = flags.yes || (goesOn && isNew);
    if (goesOn) applyPlan(cli, plan, flags.delivery);
    if (goesOn) await applyTools(cli, tools);
    const trust = flags.trustHooks && goesOn ? await trustOwnHooks(cli, state, asks) : null;
    const end = endText(cli, { plan, isNew, applied, asks, isTrusted: Boolean(trust?.trusted) });
    return {
      json: {
        applied,
        scope: wishes.scope,
        delivery,
        allow_commands: wishes.allowCommands,
        ...(flags.trustHooks && { trusted: trust?.trusted ?? null }),
        harnesses: harnessesJson(found, plan),
      },
      text: typedHere(
        cli,
        [...(asks && isNew ? [] : [shown]), end, ...(trust ? [trust.text] : [])].join("\n\n"),
      ),
    };
  },
});

/** The plan with what is done about tools among each harness's changes. */
function withTools(plan: SetupPlan, tools: readonly ToolsPlan[]): SetupPlan {
  const changesOf = (profile: HarnessProfile) =>
    tools.flatMap((one) => (one.profile === profile ? [one.change] : []));
  const harnesses = plan.harnesses.map((one) => ({
    ...one,
    changes: [...one.changes, ...changesOf(one.profile)],
  }));
  return { ...plan, harnesses };
}

async function agreed(cli: Cli, shown: string): Promise<boolean> {
  await cli.print(typedHere(cli, `\n${shown}\n`));
  return confirmed(cli, "Write this?");
}

function endText(
  cli: Cli,
  given: {
    readonly plan: SetupPlan;
    readonly isNew: boolean;
    readonly applied: boolean;
    readonly asks: boolean;
    readonly isTrusted: boolean;
  },
): string {
  const { plan, isNew, applied, asks, isTrusted } = given;
  if (plan.harnesses.length === 0) return "Nothing was written.";
  if (!isNew) return "Everything is set up already.";
  if (!applied)
    return asks
      ? "Nothing was written."
      : `Nothing is written yet. To write it: ${againWithYes(cli)}`;
  const steps = consentText(plan, isTrusted).map((text) => `- ${text}`);
  return ["Written.", ...(steps.length > 0 ? ["What is left for you to do:", ...steps] : [])].join(
    "\n",
  );
}

/** Every harness that is found or planned for, those without a plan with no changes. */
function harnessesJson(found: readonly HarnessProfile[], plan: SetupPlan) {
  const planned = plan.harnesses.map(({ profile }) => profile);
  return profiles
    .filter((profile) => found.includes(profile) || planned.includes(profile))
    .map((profile) => ({
      name: profile.harness,
      detected: found.includes(profile),
      changes: (plan.harnesses.find((one) => one.profile === profile)?.changes ?? []).map(
        ({ what: _, ...change }) => change,
      ),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
