/** A mention as it is written: of a member by name, or of a role's holders. */
export interface WrittenMention {
  readonly text: string;
  readonly name: string | null;
  readonly role: string | null;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;

/** A text with everything that is quoted rather than said made blank: fenced code, inline code and URLs. */
export function spoken(body: string): string {
  const lines: string[] = [];
  let open: string | null = null;
  for (const line of body.split("\n")) {
    const mark = fence.exec(line)?.[1];
    if (open === null) {
      lines.push(mark ? "" : line);
      if (mark) open = mark;
    } else {
      lines.push("");
      if (mark && mark[0] === open[0] && mark.length >= open.length && line.trim() === mark)
        open = null;
    }
  }
  return withoutUrls(withoutInlineCode(lines.join("\n")));
}

/** Blanks each URL. A word is matched whole whether a URL begins with it or not: linear however long it is. */
const withoutUrls = (text: string): string =>
  text.replace(/[A-Za-z][A-Za-z0-9+.-]*(:\/\/\S*)?/g, (word, rest?: string) => (rest ? " " : word));

/** Blanks each run of backticks up to the next run of the same length. A run without a partner is text. */
function withoutInlineCode(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ at: run.index, length: run[0].length }));
  // For each run the next one of its length, found in one walk from the end: linear however many there are.
  const partner: (number | undefined)[] = [];
  const nextOfLength = new Map<number, number>();
  for (let i = runs.length - 1; i >= 0; i--) {
    partner[i] = nextOfLength.get(runs[i]!.length);
    nextOfLength.set(runs[i]!.length, i);
  }
  let result = "";
  let from = 0;
  for (let i = 0; i < runs.length; i++) {
    const close = partner[i];
    if (close === undefined) continue;
    result += `${text.slice(from, runs[i]!.at)} `;
    from = runs[close]!.at + runs[close]!.length;
    i = close;
  }
  return result + text.slice(from);
}

const written =
  /(?<![\p{L}\p{N}_.\-@/\\])@(?:role:([a-z][a-z0-9-]*)|([a-z0-9][a-z0-9-]*))(?![\p{L}\p{N}-])/gu;

/** The mentions that a text holds outside code and links, in the order in which they stand, repeats included. */
export function mentionsIn(body: string): WrittenMention[] {
  if (!body.includes("@")) return [];
  return [...spoken(body).matchAll(written)]
    .map(([text, role = null, name = null]) => ({ text, role, name }))
    .filter(({ role, name }) => (role ?? "").length <= 32 && (name ?? "").length <= 40);
}
