import { errors, type ErrorName } from "../../../contract/errors/index.ts";
import { wireError } from "../../../contract/documents/implied-errors.ts";
import { namedSchemas } from "../../../contract/documents/named-schemas.ts";
import { errorId, namesOfForms, recordId } from "./reference-page-addresses.ts";
import { lists } from "../page-names.ts";
import { shapeOfNamed } from "../../../contract/documents/readable-schema.ts";
import { shapeHtml } from "./reference-page-fields-html.ts";
import { html, inline, type Html } from "./reference-page-html.ts";

/** The content of a list's page. */
export const listHtml = (list: (typeof lists)[number]): Html => contents[list]();

const contents: Record<(typeof lists)[number], () => Html> = {
  records: () =>
    html`<h2 id="records">Records</h2>
      ${shapes(false).map(
        ({ name, shape }) =>
          html`<section class="entry" id="${recordId(name)}">
            <h3>${name}</h3>
            ${shapeHtml(shape)}
          </section>`,
      )}`,
  forms: () =>
    html`<dl>
      ${shapes(true).map(
        ({ name, shape }) =>
          html`<div id="${recordId(name)}">
            <dt>${name}</dt>
            <dd>${inline(shape.type)}</dd>
          </div>`,
      )}
    </dl>`,
  errors: () =>
    html`<dl class="errors">${(Object.keys(errors) as ErrorName[]).map(errorHtml)}</dl>`,
};

const shapes = (areForms: boolean) =>
  [...namedSchemas()]
    .filter(([name]) => namesOfForms().has(name) === areForms)
    .map(([name, schema]) => ({ name, shape: shapeOfNamed(name, schema) }));

function errorHtml(name: ErrorName): Html {
  const { status, code, message, hint } = wireError(name);
  return html`<div id="${errorId(name)}">
    <dt><span class="status">${status}</span> <code>${code}</code></dt>
    <dd>${inline(message)} <span class="hint">${inline(hint)}</span></dd>
  </div>`;
}
