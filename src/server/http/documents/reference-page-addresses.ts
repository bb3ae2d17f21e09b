import { operationNamed, operationNames, type OperationName } from "../../../contract/index.ts";
import { namedSchemas } from "../../../contract/documents/named-schemas.ts";
import type { Tag } from "../../../contract/operation.ts";
import { shapeOfNamed } from "../../../contract/documents/readable-schema.ts";
import { pageAddress } from "../page-names.ts";

/** The operations of a page. */
export const operationsOf = (tag: Tag): OperationName[] =>
  operationNames.filter((name) => operationNamed(name).tag === tag);

/** Where an operation is described. */
export const operationAddress = (name: OperationName): string =>
  `${pageAddress(operationNamed(name).tag)}#${name}`;

/** The id of a record, or of a form, on its page. */
export const recordId = (name: string): string => `record-${name}`;

/** Where a record or a form is described. */
export const recordAddress = (name: string): string =>
  `${pageAddress(namesOfForms().has(name) ? "forms" : "records")}#${recordId(name)}`;

/** The id of an error on its page. */
export const errorId = (name: string): string => `error-${name}`;

/** Where an error is described. */
export const errorAddress = (name: string): string => `${pageAddress("errors")}#${errorId(name)}`;

let forms: ReadonlySet<string> | undefined;

/** The named schemas without fields: ids, names and words. */
export function namesOfForms(): ReadonlySet<string> {
  return (forms ??= new Set(
    [...namedSchemas()]
      .filter(([name, schema]) => shapeOfNamed(name, schema).forms.length === 0)
      .map(([name]) => name),
  ));
}
