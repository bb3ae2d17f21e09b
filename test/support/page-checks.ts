/** The ids of a page's elements. */
export const idsOf = (page: string): string[] =>
  [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);

/** Where a page's links lead, each once. */
export const linksOf = (page: string): string[] => [
  ...new Set([...page.matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => link)),
];

/** Elements that have no end tag. */
const alone = new Set(["meta", "wbr", "br"]);
/** Elements that no paragraph, heading or term may hold: a browser would end the outer one there. */
const blocks = new Set(["p", "div", "dl", "ul", "pre", "section", "h1", "h2", "h3", "h4", "nav"]);
const phrases = new Set(["p", "h1", "h2", "h3", "h4", "pre", "a", "code", "span"]);

/** What is wrong with the nesting of a page's elements, as a reader of HTML would have to mend it. */
export function misnested(page: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  const content = page.replace(/<style>[^]*<\/style>/, "").replace("<!doctype html>", "");
  if (/<(?![a-z/][^<>]*>)/.test(content)) wrong.push("a < that begins no tag");
  for (const [tag, end, name = ""] of content.matchAll(/<(\/?)([a-z][a-z0-9]*)[^<>]*>/g)) {
    if (alone.has(name)) continue;
    if (end) {
      if (open.pop() !== name) wrong.push(`${tag} closes another element`);
      continue;
    }
    const outer = open.at(-1) ?? "";
    if (blocks.has(name) && phrases.has(outer)) wrong.push(`${tag} in <${outer}>`);
    if (name === "a" && open.includes("a")) wrong.push(`${tag} in a link`);
    if (outer === "ul" && name !== "li") wrong.push(`${tag} in <ul>`);
    if (outer === "dl" && name !== "div") wrong.push(`${tag} in <dl>`);
    open.push(name);
  }
  return [...wrong, ...open.map((name) => `<${name}> is never closed`)];
}
