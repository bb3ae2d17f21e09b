import { operationNamed, type OperationName } from "../../../contract/index.ts";
import type { Tag } from "../../../contract/operation.ts";
import { tagTexts } from "../../../contract/documents/texts.ts";
import { operationAddress, operationsOf } from "./reference-page-addresses.ts";
import { lists, pageAddress, tags } from "../page-names.ts";
import { framed, titleOf, type Described } from "./reference-page-frame.ts";
import { guide, introduction, type Chapter } from "./reference-page-guide.ts";
import { html, inline, type Html } from "./reference-page-html.ts";
import { routeHtml } from "./reference-page-operation.ts";

/** The first page of the reference: what holds for every operation, and a line for each, which leads to its page. */
export function referenceIndex({ version, url }: Described): string {
  const chapters = guide(url);
  return framed(
    null,
    "Reference",
    html`<p class="quiet">
        Version ${version} at <code>${url}</code>. For programs:
        <a href="/v1/openapi.json">the same as OpenAPI 3.1</a>. How a person gets the program and
        signs in: <a href="/start">the start page</a>.
      </p>
      <p class="lead">${inline(introduction)}</p>`,
    html`<div class="guide">${chapters.map(chapterHtml)}</div>
      ${tags.map(indexOfTag)}
      <h2 id="lists">Lists</h2>
      <dl class="index">
        ${lists.map((list) => line(list, pageAddress(list), titleOf(list), inline(listTexts[list])))}
      </dl>`,
    [
      ...chapters.map(({ id, title }) => [id, title] as const),
      ...tags.map((tag) => [`tag-${tag}`, titleOf(tag)] as const),
      ["lists", "Lists"],
    ],
  );
}

/** What each list of the reference has. */
export const listTexts = {
  records: "What the operations share.",
  forms: "Ids, names and words.",
  errors: "Names in braces are filled in.",
} as const;

const chapterHtml = ({ id, title, blocks }: Chapter): Html =>
  html`<section id="${id}">
    <h2>${title}</h2>
    ${blocks.map((block) => (typeof block === "string" ? html`<p>${inline(block)}</p>` : html`<pre tabindex="0"><code>${block.code}</code></pre>`))}
  </section>`;

const indexOfTag = (tag: Tag): Html =>
  html`<h2 id="tag-${tag}"><a href="${pageAddress(tag)}">${titleOf(tag)}</a></h2>
    <p class="quiet">${inline(tagTexts[tag])}</p>
    <dl class="index">${operationsOf(tag).map(indexOfOperation)}</dl>`;

function indexOfOperation(name: OperationName): Html {
  const op = operationNamed(name);
  return line(
    name,
    operationAddress(name),
    op.summary,
    html`${routeHtml(op)} <span class="name">${name}</span>`,
  );
}

const line = (id: string, address: string, title: string, text: Html): Html =>
  html`<div id="${id}">
    <dt><a href="${address}">${title}</a></dt>
    <dd>${text}</dd>
  </div>`;
