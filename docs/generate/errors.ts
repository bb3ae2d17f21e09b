import { errors, type ErrorName } from "../../src/contract/errors/index.ts";
import { wireError } from "../../src/contract/documents/implied-errors.ts";
import { heading, paragraphs } from "./markdown.ts";

/** Every error the service can answer, by status. */
export function errorsText(): string {
  const entries = (Object.keys(errors) as ErrorName[]).map(wireError);
  const byStatus = entries.toSorted((a, b) => a.status - b.status);
  return `${paragraphs(
    heading(
      "Errors",
      "Every error has the shape of [one object](operations.md#errors). Names in braces are filled in. The hint says what to do next.",
    ),
    ...byStatus.map(({ status, code, message, hint }) =>
      paragraphs(`## ${status} ${code}`, message, `Hint: ${hint}`),
    ),
  )}\n`;
}
