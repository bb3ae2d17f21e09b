import type { Page } from "playwright-core";

/** The elements that a written text may become, each with the attributes that it may have. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  p: ["class"],
  b: [],
  i: [],
  s: [],
  br: [],
  hr: [],
  ul: ["class"],
  ol: ["start"],
  li: [],
  blockquote: [],
  table: ["class"],
  thead: [],
  tbody: [],
  tr: [],
  th: ["scope"],
  td: [],
  pre: ["tabindex"],
  code: [],
  div: ["class", "role", "aria-label", "tabindex"],
  span: ["class", "aria-hidden"],
  a: ["class", "href", "target", "rel", "title"],
  small: ["class"],
  bdi: [],
  svg: ["class", "aria-hidden"],
  use: ["href"],
};

/** The elements that a document may become besides. */
const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];

/**
 * What of others' text on a page is more than text: an element or attribute that no text may become, a link that leads
 * elsewhere than it says, a character that turns the words around it, something that ran. Nothing is wrong if it is empty.
 */
export const foreignTextFindings = (page: Page): Promise<string[]> =>
  page.evaluate(
    ({ allowed, headings }) => {
      const findings: string[] = [];
      const say = (what: string, node: Node) => {
        const html = node instanceof Element ? node.outerHTML : (node.textContent ?? "");
        findings.push(`${what}: ${JSON.stringify(html.slice(0, 300))}`);
      };
      if ("pwned" in globalThis) findings.push("something ran");
      if (/\[native code\]|\[object |\bundefined\b|\bNaN\b/.test(document.body.innerText))
        findings.push("words that nobody wrote");
      if (frames.length > 0) findings.push("a frame was made");

      for (const element of document.querySelectorAll(".md *")) {
        const isHeading = element.closest(".doc") && headings.includes(element.localName);
        const attributes = isHeading ? [] : allowed[element.localName];
        if (!attributes) say("an element that no text may become", element);
        for (const { name } of element.attributes)
          if (attributes && !attributes.includes(name)) say(`the attribute ${name}`, element);
      }
      for (const element of document.querySelectorAll("body *"))
        for (const { name } of element.attributes)
          if (/^on|^srcdoc$/.test(name)) say(`the attribute ${name}`, element);

      for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]")) {
        const { protocol, host, origin, pathname } = link;
        if (!/^(https?|mailto):$/.test(protocol)) say("a link that is none", link);
        else if (origin === location.origin && protocol !== "mailto:") continue;
        else {
          if (link.target !== "_blank" || !link.relList.contains("noopener"))
            say("a link that shares its window", link);
          const words = link.textContent!.trim();
          const end = protocol === "mailto:" ? decodeURI(pathname) : host;
          const behind = link.nextElementSibling;
          const isSaid = behind?.localName === "small" && behind.textContent!.trim() === end;
          // Words that begin with the host, and nothing before it, say it themselves.
          const bare = words.replace(/^(https?:\/\/|mailto:)/, "");
          const saysIt = bare.startsWith(end) && /^([/?#]|$)/.test(bare.slice(end.length));
          if (!isSaid && !saysIt) say("a link that hides its host", link);
          if (words === "") say("a link without words", link);
        }
      }

      /** What turns words without being closed again in the same text. */
      const turned = (text: string): boolean => {
        const closed = text.replaceAll(/\u2068[^\u2066-\u2069]*\u2069/g, "");
        return /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/.test(closed);
      };
      /** Words from right to left that are not set apart from what stands beside them. */
      const canTurn = (text: string): boolean =>
        /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(
          text.replaceAll(/\u2068[^\u2069]*\u2069/g, ""),
        );
      const hides =
        /\u034f|\u17b4|\u17b5|[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u115f\u1160\u200b\u2060-\u2064\u206a-\u206f\u3164\uffa0\ufff9-\ufffb\ufeff]|[\u{e0000}-\u{e01ef}]/u;
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement!;
        const text = node.textContent!;
        if (parent.closest("script, style, textarea, svg")) continue;
        // A message may turn its own words, but not those of its links and what stands behind them.
        if (parent.closest(".md") && !parent.closest(".md a.out, .md small")) continue;
        if (turned(text)) say("a character that turns what follows", node);
        if (hides.test(text)) say("a character that hides", node);
        // What is alone in a box of its own turns nothing beside it.
        const isAlone =
          getComputedStyle(parent).display !== "inline" && parent.childNodes.length === 1;
        if (canTurn(text) && !isAlone && !parent.closest("bdi, pre"))
          say("words that can turn others", parent);
      }
      for (const element of document.querySelectorAll(
        "[aria-label], [title], [placeholder], [alt]",
      ))
        for (const name of ["aria-label", "title", "placeholder", "alt"]) {
          const text = element.getAttribute(name) ?? "";
          if (turned(text) || canTurn(text)) say(`words in ${name} that can turn others`, element);
        }
      if (turned(document.title)) findings.push(`turned words in the title: ${document.title}`);
      return [...new Set(findings)];
    },
    { allowed, headings },
  );
