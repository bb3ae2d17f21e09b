import { withoutSecrets } from "../../contract/credentials.ts";
import type { Operation } from "../../contract/operation.ts";
import type { NextStep } from "../../contract/refusal.ts";
import { shellWord } from "../../contract/shell-word.ts";

/** What the person of a refused caller runs instead, with the server's address and the path's values filled in. */
export function nextStep(
  { next }: Operation,
  server: string,
  params: Readonly<Record<string, string>>,
): NextStep | undefined {
  if (!next) return undefined;
  const values: Readonly<Record<string, string>> = { ...params, server };
  // The path was not looked at yet, so it may hold anything.
  const fill = (_: string, name: string) => shellWord(withoutSecrets(values[name] ?? ""));
  return { ...next, command: next.command.replace(/\{(\w+)\}/g, fill) };
}
