import type { TSchema } from "@sinclair/typebox";
import { operationNamed } from "../../../contract/index.ts";
import { eventTypes } from "../../../contract/log.ts";
import type { Tag } from "../../../contract/operation.ts";
import { streamTexts } from "../../../contract/documents/stream-texts.ts";
import { eventTexts, tagTexts } from "../../../contract/documents/texts.ts";
import { operationsOf } from "./reference-page-addresses.ts";
import { lists, type PageName } from "../page-names.ts";
import { fieldsOf } from "../../../contract/documents/readable-schema.ts";
import { fieldList } from "./reference-page-fields-html.ts";
import { framed, operationParts, titleOf } from "./reference-page-frame.ts";
import { html, inline, type Html } from "./reference-page-html.ts";
import { listTexts } from "./reference-index.ts";
import { listHtml } from "./reference-page-lists.ts";
import { operationHtml } from "./reference-page-operation.ts";

/** A page of the reference: the operations of a tag, or a list that they refer to. */
export function referencePage(page: PageName): string {
  const list = lists.find((each) => each === page);
  return list === undefined
    ? tagPage(page as Tag)
    : framed(page, titleOf(page), lead(listTexts[list]), listHtml(list));
}

const lead = (text: string): Html => html`<p class="lead">${inline(text)}</p>`;

function tagPage(tag: Tag): string {
  const events = tag === "events" ? eventLists : [];
  return framed(
    tag,
    titleOf(tag),
    lead(tagTexts[tag]),
    html`<h2 id="operations">Operations</h2>
      ${operationsOf(tag).map(operationHtml)} ${events.map(eventsHtml)}`,
    [...operationParts(tag), ...events.map(({ id, title }) => [id, title] as const)],
  );
}

interface EventList {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly schemas: Readonly<Record<string, TSchema>>;
  readonly texts: Readonly<Record<string, string>>;
}

const eventLists: readonly EventList[] = [
  {
    id: "log-events",
    title: "Events of a board’s log",
    text: "Every event has the envelope [[EventEnvelope]]; this is its `data`.",
    schemas: eventTypes(),
    texts: eventTexts,
  },
  ...streamTexts.map(({ name, prefix, title, about, schemas, events }) => ({
    id: `${prefix}-events`,
    title: `Events: ${title.toLowerCase()}`,
    text: `What \`GET ${operationNamed(name).path}\` sends: \`event\` names one of these, \`data\` is this object as JSON. ${about}`,
    schemas,
    texts: events,
  })),
];

function eventsHtml({ id, title, text, schemas, texts }: EventList): Html {
  const entries = Object.entries(schemas).map(
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
