/** A mention as it is written: a member's name, or a role. */
export interface WrittenMention {
  readonly text: string;
  readonly name: string | null;
  readonly role: string | null;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;

/** Replaces fenced code, inline code and URLs by blanks, because these quote and do not address anybody. */
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

/** Blanks each URL. The pattern takes each word whole, URL or not, so its time is linear in the text's length. */
const withoutUrls = (text: string): string =>
  text.replace(/[A-Za-z][A-Za-z0-9+.-]*(:\/\/\S*)?/g, (word, rest?: string) => (rest ? " " : word));

/** Blanks each run of backticks up to the next run of the same length. A run without a partner is plain text. */
function withoutInlineCode(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ at: run.index, length: run[0].length }));
  // One walk from the end finds the next run of equal length for each run, in linear time.
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

/** The mentions in a text outside code and links, in the order of the text, with repeats. */
export function mentionsIn(body: string): WrittenMention[] {
  if (!body.includes("@")) return [];
  return [...spoken(body).matchAll(written)]
    .map(([text, role = null, name = null]) => ({ text, role, name }))
    .filter(({ role, name }) => (role ?? "").length <= 32 && (name ?? "").length <= 40);
}
