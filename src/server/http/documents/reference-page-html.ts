import { recordAddress } from "./reference-page-addresses.ts";
import { style } from "./reference-page-style.ts";

/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}
type Part = Html | string | number | false | undefined | readonly Html[];

/** Makes HTML. What is put into it is escaped unless it is HTML itself. The indentation of the source is left out. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const written = (index: number) => (strings[index] ?? "").replace(/\n\s+/g, "\n");
  let text = written(0);
  parts.forEach((part, index) => (text += textOf(part) + written(index + 1)));
  return { html: text };
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "object")
    return "html" in part ? part.html : part.map((each) => each.html).join("\n");
  return escaped(String(part));
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** A text of the contract as HTML: `code` in backticks, and [[Name]] as a link to the record of that name. */
export function inline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\[\[\w+\]\])/).map((part) => {
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    if (!part.startsWith("[[")) return html`${part}`;
    const name = part.slice(2, -2);
    return html`<a class="type" href="${recordAddress(name)}">${name}</a>`;
  });
  return { html: parts.map((part) => part.html).join("") };
}

/** A path, breakable after each slash. */
export const breakable = (path: string): Html => ({
  html: escaped(path).replaceAll("/", "/<wbr>"),
});

/** A whole page. It loads nothing else. */
export const pageHtml = (title: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${{ html: style }}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html> `.html;
