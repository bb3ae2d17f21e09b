import { errors, type ErrorName } from "../../../contract/errors/index.ts";
import { operationNamed, operationNames } from "../../../contract/index.ts";
import { eventTypes } from "../../../contract/log.ts";
import { wireError } from "../../../contract/documents/implied-errors.ts";
import { namedSchemas } from "../../../contract/documents/named-schemas.ts";
import type { Tag } from "../../../contract/operation.ts";
import { streamTexts } from "../../../contract/documents/stream-texts.ts";
import { eventTexts, tagTexts } from "../../../contract/documents/texts.ts";
import { fieldsOf, shapeOfNamed } from "./reference-page-fields.ts";
import { fieldList, shapeHtml } from "./reference-page-fields-html.ts";
import { guide, introduction, type Chapter } from "./reference-page-guide.ts";
import { errorId, html, inline, pageHtml, recordId, type Html } from "./reference-page-html.ts";
import { operationHtml } from "./reference-page-operation.ts";

/** The reference of the service as one page that loads nothing else. `url` is where the server is reached. */
export function referencePage({ version, url }: { version: string; url: string }): string {
  return pageHtml(
    "Team Board Service: reference",
    html`
      <a class="skip" href="#main">Skip to the content</a>
      <header>
        <h1>Team Board Service</h1>
        <p class="quiet">
          Version ${version} at <code>${url}</code>. For programs:
          <a href="/v1/openapi.json">the same as OpenAPI 3.1</a>.
        </p>
        <p class="lead">${inline(introduction)}</p>
      </header>
      ${contents(url)}
      <main id="main">
        <div class="guide">${guide(url).map(chapterHtml)}</div>
        ${tags.map(tagHtml)}
        ${eventsHtml("log-events", "Events of a board’s log", "Every event has the envelope [[EventEnvelope]]; this is its `data`.", eventTypes, eventTexts)}
        ${streamTexts.map(({ name, prefix, title, about, schemas, events }) => eventsHtml(`${prefix}-events`, `Events: ${title.toLowerCase()}`, `What \`GET ${operationNamed(name).path}\` sends: \`event\` names one of these, \`data\` is this object as JSON. ${about}`, schemas, events))}
        ${recordsHtml()} ${errorsHtml()}
      </main>
    `,
  );
}

const tags = Object.keys(tagTexts) as Tag[];
const titleOf = (tag: Tag): string => tag.charAt(0).toUpperCase() + tag.slice(1);
const operationsOf = (tag: Tag) =>
  operationNames.filter((name) => operationNamed(name).tag === tag);

function contents(url: string): Html {
  const group = (title: string, links: readonly (readonly [id: string, text: string])[]): Html =>
    html`<div>
      <p>${title}</p>
      <ul>
        ${links.map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>`)}
      </ul>
    </div>`;
  return html`<nav aria-label="Contents">
    <details open>
      <summary>Contents</summary>
      <div class="groups">
        ${group(
          "Guide",
          guide(url).map(({ id, title }) => [id, title] as const),
        )}
        ${tags.map((tag) =>
          group(
            titleOf(tag),
            operationsOf(tag).map((name) => [name, name] as const),
          ),
        )}
        ${group("Lists", lists)}
      </div>
    </details>
  </nav>`;
}

const lists = [
  ["log-events", "Events of the log"],
  ...streamTexts.map(({ prefix, title }) => [`${prefix}-events`, title] as const),
  ["records", "Records"],
  ["forms", "Forms"],
  ["errors", "Error codes"],
] as const;

const chapterHtml = ({ id, title, blocks }: Chapter): Html =>
  html`<section id="${id}">
    <h2>${title}</h2>
    ${blocks.map((block) => (typeof block === "string" ? html`<p>${inline(block)}</p>` : html`<pre><code>${block.code}</code></pre>`))}
  </section>`;

const tagHtml = (tag: Tag): Html =>
  html`<h2 id="tag-${tag}">${titleOf(tag)}</h2>
    <p class="quiet">${tagTexts[tag]}</p>
    ${operationsOf(tag).map(operationHtml)}`;

function eventsHtml(
  id: string,
  title: string,
  text: string,
  events: Readonly<Record<string, Parameters<typeof fieldsOf>[0]>>,
  texts: Readonly<Record<string, string>>,
): Html {
  const entries = Object.entries(events).map(
    ([name, schema]) =>
      html`<section class="entry" id="${id}-${name}">
        <h3><code>${name}</code></h3>
        <p>${inline(texts[name] ?? "")}</p>
        ${fieldList(fieldsOf(schema))}
      </section>`,
  );
  return html`<h2 id="${id}">${title}</h2>
    <p class="quiet">${inline(text)}</p>
    ${entries}`;
}

function recordsHtml(): Html {
  const shapes = [...namedSchemas()].map(([name, schema]) => ({
    name,
    shape: shapeOfNamed(name, schema),
  }));
  const records = shapes.filter(({ shape }) => shape.forms.length > 0);
  const forms = shapes.filter(({ shape }) => shape.forms.length === 0);
  return html`<h2 id="records">Records</h2>
    <p class="quiet">What the operations share.</p>
    ${records.map(
      ({ name, shape }) =>
        html`<section class="entry" id="${recordId(name)}">
          <h3>${name}</h3>
          ${shapeHtml(shape)}
        </section>`,
    )}
    <h2 id="forms">Forms</h2>
    <p class="quiet">Ids, names and words.</p>
    <dl>
      ${forms.map(
        ({ name, shape }) =>
          html`<div id="${recordId(name)}">
            <dt>${name}</dt>
            <dd>${inline(shape.type)}</dd>
          </div>`,
      )}
    </dl>`;
}

function errorsHtml(): Html {
  const entries = (Object.keys(errors) as ErrorName[]).map((name) => {
    const { status, code, message, hint } = wireError(name);
    return html`<div id="${errorId(name)}">
      <dt><span class="status">${status}</span> <code>${code}</code></dt>
      <dd>${inline(message)} <span class="hint">${inline(hint)}</span></dd>
    </div>`;
  });
  return html`<h2 id="errors">Error codes</h2>
    <p class="quiet">Names in braces are filled in.</p>
    <dl class="errors">${entries}</dl>`;
}
