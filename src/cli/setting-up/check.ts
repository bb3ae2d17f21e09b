import { LocalError } from "../../client/machine/local-error.ts";

/** One finding of `doctor`. A check that finds nothing wrong is `ok`, and has neither code nor fix. */
export interface Check {
  readonly name: string;
  readonly level: "ok" | "warning" | "error";
  readonly code: string | null;
  readonly message: string;
  readonly fix: string | null;
}

export const fine = (name: string, message: string): Check => ({
  ...{ name, level: "ok", message },
  ...{ code: null, fix: null },
});

/** A finding: its name and code, what is so, and what to do. */
interface Finding {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

export const warning = (finding: Finding): Check => ({ ...finding, level: "warning" });

export const failure = (finding: Finding): Check => ({ ...finding, level: "error" });

/** A refusal of another part of this program, as a finding. Anything else that is thrown goes on. */
export function refused(name: string, error: unknown): Check {
  if (!(error instanceof LocalError)) throw error;
  const { code, message, hint } = error;
  return failure({ name, code, message, fix: hint });
}
