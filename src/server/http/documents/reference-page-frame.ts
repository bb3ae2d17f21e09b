import { operationNamed } from "../../../contract/index.ts";
import type { Tag } from "../../../contract/operation.ts";
import { html, pageHtml, type Html } from "./reference-page-html.ts";
import { operationsOf } from "./reference-page-addresses.ts";
import { lists, pageAddress, tags, type PageName } from "../page-names.ts";

/** The program that the pages describe: its version, and where the server is reached. */
export interface Described {
  readonly version: string;
  readonly url: string;
}

const titles: Partial<Record<PageName, string>> = { errors: "Error codes" };

/** What a page is called. */
export const titleOf = (page: PageName): string =>
  titles[page] ?? page.charAt(0).toUpperCase() + page.slice(1);

/** A page of the reference: its head, the contents, and what it says. `page` is null for the first one. */
export const framed = (
  page: PageName | null,
  title: string,
  head: Html,
  main: Html,
  parts: readonly (readonly [id: string, text: string])[] = [],
): string =>
  pageHtml(
    `${title}: Team Board Service`,
    html`
      <a class="skip" href="#main">Skip to the content</a>
      <header>
        <h1>${title}</h1>
        ${head}
      </header>
      ${contents(page, parts)}
      <main id="main">${main}</main>
    `,
  );

/** The links to every page, and below the page that is shown to its parts. */
function contents(
  shown: PageName | null,
  parts: readonly (readonly [id: string, text: string])[],
): Html {
  const onPage = html`<ul>
    ${parts.map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>`)}
  </ul>`;
  const entry = (page: PageName | null, address: string, title: string): Html =>
    html`<li>
      <a href="${address}" ${page === shown && { html: 'aria-current="page"' }}>${title}</a>
      ${page === shown && parts.length > 0 && onPage}
    </li>`;
  const group = (title: string, entries: readonly Html[]): Html =>
    html`<div>
      <p>${title}</p>
      <ul>
        ${entries}
      </ul>
    </div>`;
  const pages = (names: readonly PageName[]) =>
    names.map((name) => entry(name, pageAddress(name), titleOf(name)));
  return html`<nav aria-label="Contents">
    <details open>
      <summary>Contents</summary>
      <div class="groups">
        ${group("Reference", [entry(null, "/docs", "Guide and index")])}
        ${group("Operations", pages(tags))} ${group("Lists", pages(lists))}
      </div>
    </details>
  </nav>`;
}

/** The operations of a tag, as parts of its page. */
export const operationParts = (tag: Tag): (readonly [id: string, text: string])[] =>
  operationsOf(tag).map((name) => [name, operationNamed(name).summary] as const);
