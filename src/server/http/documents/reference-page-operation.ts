import type { ErrorName } from "../../../contract/errors/index.ts";
import { parameterTexts, requestTexts } from "../../../contract/documents/request-texts.ts";
import {
  errorsOf,
  errorsOfAll,
  errorsOfWrites,
  wireError,
} from "../../../contract/documents/implied-errors.ts";
import { operationNamed, type OperationName } from "../../../contract/index.ts";
import { answersBytes, type Operation } from "../../../contract/operation.ts";
import {
  bytesText,
  uploadText,
  whatRepeatsGet,
  whoMay,
} from "../../../contract/documents/texts.ts";
import { fieldsOf, shapeOf } from "../../../contract/documents/readable-schema.ts";
import { fieldList, shapeHtml } from "./reference-page-fields-html.ts";
import { errorAddress } from "./reference-page-addresses.ts";
import { breakable, html, inline, type Html } from "./reference-page-html.ts";

/** One operation, complete. */
export function operationHtml(name: OperationName): Html {
  const op = operationNamed(name);
  const texts = { ...parameterTexts, ...requestTexts[name] };
  return html`<section class="entry" id="${name}">
    <h3><a href="#${name}">${op.summary}</a></h3>
    <p class="route">${routeHtml(op)}<span class="name">${name}</span></p>
    ${op.description !== undefined && html`<p>${inline(op.description)}</p>`}
    <p class="who">${whoMay(op)}</p>
    ${part("Path", op.params && fieldList(fieldsOf(op.params, texts)))}
    ${part("Query", op.query && fieldList(fieldsOf(op.query, texts)))}
    ${part(op.bodyOptional ? "Body, may be left out" : "Body", op.body && shapeHtml(shapeOf(op.body, texts)))}
    ${part("Body", op.shape === "upload" && html`<p>${inline(uploadText)}</p>`)}
    ${part(`Answer ${op.success ?? 200}`, answersBytes(op) ? html`<p>${inline(bytesText(op))}</p>` : shapeHtml(shapeOf(op.response)))}
    ${part("Repeats", repeatsHtml(op))} ${part("Errors", errorsHtml(op))}
  </section>`;
}

/** The method and path of an operation. */
export const routeHtml = ({ method, path }: Operation): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>
    <code>${breakable(path.replace(/:(\w+)/g, "{$1}"))}</code>`;

const part = (title: string, content: Html | undefined | false): Html | false =>
  content !== undefined &&
  content !== false &&
  html`<h4>${title}</h4>
    ${content}`;

function repeatsHtml(op: Operation): Html | undefined {
  const text = whatRepeatsGet(op);
  return text === undefined ? undefined : html`<p>${inline(text)}</p>`;
}

const everywhere: readonly ErrorName[] = [...errorsOfAll, ...errorsOfWrites];

function errorsHtml(op: Operation): Html {
  const [own, common] = [true, false].map((isOwn) =>
    errorsOf(op).filter((name) => everywhere.includes(name) !== isOwn),
  ) as [ErrorName[], ErrorName[]];
  return html`${own.length > 0 && html`<dl class="errors">${own.map(errorItem)}</dl>`}
    <p class="common">
      ${own.length > 0 ? "And as everywhere: " : "As everywhere: "}${separated(distinct(common).map(errorLink))}.
    </p>`;
}

function errorItem(name: ErrorName): Html {
  const { message, hint } = wireError(name);
  return html`<div>
    <dt>${errorLink(name)}</dt>
    <dd>${inline(message)} <span class="hint">${inline(hint)}</span></dd>
  </div>`;
}

function errorLink(name: ErrorName): Html {
  const { status, code } = wireError(name);
  return html`<a href="${errorAddress(name)}"
    ><span class="status">${status}</span> <code>${code}</code></a
  >`;
}

const separated = (parts: readonly Html[]): Html => ({
  html: parts.map((each) => each.html).join(", "),
});

/** Entries that share status and code read as one. */
const distinct = (names: readonly ErrorName[]): ErrorName[] =>
  names.filter((name, index) => names.findIndex((each) => sameOnTheWire(each, name)) === index);
const sameOnTheWire = (a: ErrorName, b: ErrorName): boolean =>
  wireError(a).status === wireError(b).status && wireError(a).code === wireError(b).code;
