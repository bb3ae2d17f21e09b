/** The mentions of a text, found by walking it character by character as the contract's five rules are written. */
export function mentionsByTheRules(body: string): string[] {
  const text = withoutUrls(withoutInlineCode(withoutFences(body)));
  const found: string[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    if (!mayBegin(text, at)) continue;
    const mention = roleAt(text, at) ?? nameAt(text, at);
    if (mention) found.push(mention);
  }
  return found;
}

/** The references of tasks in a text, found in the same way: by the rules of what is skipped and of what stands before. */
export function referencesByTheRules(body: string): string[] {
  const text = withoutUrls(withoutInlineCode(withoutFences(body)));
  const found: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (!mayBegin(text, at) || !/[A-Za-z]/.test(text[at]!)) continue;
    let dash = at + 1;
    while (/[A-Za-z0-9]/.test(text[dash] ?? "")) dash++;
    if (text[dash] !== "-" || dash - at < 2 || dash - at > 6) continue;
    let end = dash + 1;
    while (/[0-9]/.test(text[end] ?? "")) end++;
    if (end === dash + 1 || text[dash + 1] === "0" || isLetterOrDigit(text[end] ?? "")) continue;
    found.push(text.slice(at, end));
  }
  return found;
}

function mayBegin(text: string, at: number): boolean {
  const before = at === 0 ? "" : text[at - 1]!;
  return !isLetterOrDigit(before) && !"_.-@/\\".split("").includes(before);
}

const isLetterOrDigit = (character: string) => /^[\p{L}\p{N}]$/u.test(character);

function withoutFences(body: string): string {
  let open = "";
  const lines = body.split("\n").map((line) => {
    const unindented = line.replace(/^ {1,3}/, "");
    const run = unindented.startsWith("~") ? runAt(unindented, 0, "~") : runAt(unindented, 0, "`");
    const rest = unindented.slice(run.length).trim();
    if (!open) {
      if (run.length < 3) return line;
      open = run;
      return "";
    }
    if (run[0] === open[0] && run.length >= open.length && rest === "") open = "";
    return "";
  });
  return lines.join("\n");
}

function withoutInlineCode(text: string): string {
  let result = "";
  for (let at = 0; at < text.length;) {
    const run = runAt(text, at, "`");
    const end = run && closingAfter(text, at + run.length, run.length);
    if (end) {
      result += " ";
      at = end;
    } else {
      result += run || text[at]!;
      at += run.length || 1;
    }
  }
  return result;
}

/** Where the next run of exactly this many backticks ends, or 0. */
function closingAfter(text: string, from: number, length: number): number {
  for (let at = from; at < text.length;) {
    const run = runAt(text, at, "`");
    if (run.length === length) return at + length;
    at += run.length || 1;
  }
  return 0;
}

function withoutUrls(text: string): string {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 1)) {
    let scheme = at;
    for (let i = at - 1; i >= 0 && /[A-Za-z0-9+.-]/.test(text[i]!); i--)
      if (/[A-Za-z]/.test(text[i]!)) scheme = i;
    if (scheme === at) continue;
    let end = at;
    while (end < text.length && !/\s/.test(text[end]!)) end++;
    text = text.slice(0, scheme) + " ".repeat(end - scheme) + text.slice(end);
  }
  return text;
}

function runAt(text: string, at: number, character: string): string {
  let end = at;
  while (text[end] === character) end++;
  return text.slice(at, end);
}

const roleAt = (text: string, at: number) =>
  text.startsWith("@role:", at) ? wordAt(text, at, "@role:".length, /[a-z]/, 32) : null;
const nameAt = (text: string, at: number) => wordAt(text, at, 1, /[a-z0-9]/, 40);

function wordAt(text: string, at: number, skip: number, first: RegExp, most: number) {
  const start = at + skip;
  let end = start;
  while (/[a-z0-9-]/.test(text[end] ?? "") && end - start < most) end++;
  if (end === start || !first.test(text[start]!)) return null;
  const next = text[end] ?? "";
  return isLetterOrDigit(next) || next === "-" ? null : text.slice(at, end);
}
