import { codexProfile } from "../../../client/harnesses/codex.ts";
import { isAllowed } from "../doctor/check-allowed.ts";
import { columns } from "../../terminal/table.ts";
import type { OwnProgram } from "../entries/own-program.ts";
import type { HarnessPlan, SetupPlan, SetupState } from "../entries/setup-types.ts";

/** The plan as a person reads it: file by file, then what an older version of a harness lacks. */
export function planText({ scope, harnesses }: SetupPlan, program: string): string {
  if (harnesses.length === 0)
    return "No harness was found: neither its settings folder nor its program is here. Name one with `--harness` to set it up all the same.";
  const whose = scope === "global" ? "all of your sessions" : "sessions in this folder";
  return harnesses.map((plan) => harnessText(plan, whose, program)).join("\n\n");
}

function harnessText(
  { profile, version, changes, lost }: HarnessPlan,
  whose: string,
  program: string,
): string {
  const { name, checks } = profile;
  const title = `${name}${version === null ? "" : ` ${version}`}, for ${whose}`;
  const unknown = `  Its version could not be read: it gets what ${checks.minVersion} knows.`;
  return [
    title,
    columns(
      changes.map(({ path, action, what, edited }) => [
        `  ${action}`,
        path,
        edited ? `${what} (somebody edited it: those edits go)` : what,
      ]),
    ),
    ...(profile.delivery.hooks.length > 0 ? [`  The hooks run ${program}`] : []),
    ...(version === null ? [unknown] : []),
    ...lost.map(
      ({ event, without }) => `  Not written, because it does not know ${event}: ${without}.`,
    ),
  ].join("\n");
}

/** Whether there is anything to write. */
export const isChange = ({ harnesses }: SetupPlan): boolean =>
  harnesses.some(({ changes }) => changes.some(({ action }) => action !== "unchanged"));

/** What only the person can do, for harnesses whose hooks or files were written now. */
export function consentText({ scope, harnesses }: SetupPlan, isTrusted: boolean): string[] {
  return harnesses.flatMap(({ profile, changes }) => {
    const isWritten = changes.some(
      ({ kind, action }) => ["hooks", "file"].includes(kind) && action !== "unchanged",
    );
    const steps = profile.install.flatMap((item) => (item.kind === "consent" ? [item] : []));
    if (isTrusted && profile === codexProfile) return [];
    const texts = steps.flatMap(({ text, projectText }) =>
      scope === "project" && projectText ? [text, projectText] : [text],
    );
    return isWritten ? texts : [];
  });
}

/** Why commands do not reach us, for harnesses in whose sandbox they need a rule that they do not get. */
export function adviceText({ harnesses }: SetupPlan, state: SetupState): string[] {
  return harnesses.flatMap(({ profile, changes }) => {
    const rule = profile.install.find(({ kind }) => kind === "allow-rule");
    const isPlanned = changes.some(({ kind }) => kind === "permissions");
    if (isPlanned || rule?.kind !== "allow-rule" || !rule.required) return [];
    if (isAllowed(state, profile, rule)) return [];
    return [`${rule.required} To let it out: \`service init --allow-commands\`.`];
  });
}

/** Hooks carry a home of their own, and commands of most sessions do not. */
export const homeText = ({ home }: OwnProgram): string[] =>
  home === undefined
    ? []
    : [
        `The hooks know the home ${home}. Commands in a session of Claude Code learn it at its start. In other harnesses they know it only if SERVICE_HOME is set where the harness is started.`,
      ];

/** The harnesses whose extension a checkout cannot write. */
export function extensionText({ harnesses }: SetupPlan, { words }: OwnProgram): string[] {
  const missing = harnesses.filter(({ profile }) =>
    profile.install.some(({ kind }) => kind === "file"),
  );
  if (words.length === 1) return [];
  return missing.map(
    ({ profile: { name } }) =>
      `${name}: its extension starts a program by one path, and this is a checkout. Run \`npm run build\`, then \`init\` of the program in \`dist\`.`,
  );
}
