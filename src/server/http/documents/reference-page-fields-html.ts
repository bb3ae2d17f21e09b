import { html, inline, type Html } from "./reference-page-html.ts";
import type { Field, Shape } from "../../../contract/documents/readable-schema.ts";

/** Fields as a list of terms. A field that is an object has its own fields below it. */
export function fieldList(fields: readonly Field[]): Html {
  return html`<dl class="fields">${fields.map(fieldItem)}</dl>`;
}

function fieldItem({ name, required, type, text, fields }: Field): Html {
  return html`<div>
    <dt><code>${name}</code>${!required && html` <span class="optional">optional</span>`}</dt>
    <dd>
      ${inline(type)}${text !== undefined && html` <span class="meaning">${inline(text)}</span>`}${fields.length > 0 && fieldList(fields)}
    </dd>
  </div>`;
}

/** A schema: its fields, one list for each form it may take; its type alone where it has none. */
export function shapeHtml({ type, forms }: Shape): Html {
  const [only, ...others] = forms;
  if (!only) return html`<p>${inline(type)}</p>`;
  if (others.length === 0)
    return html`${type !== "object" && html`<p>${inline(type)}:</p>`}${fieldList(only)}`;
  return html`${forms.map(
    (fields, index) =>
      html`<p>${index ? "or" : "Either"}</p>
        ${fieldList(fields)}`,
  )}`;
}
