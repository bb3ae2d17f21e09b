// Characters that a terminal acts on: escape sequences (CSI, strings such as OSC, and two-character ones), then every
// control character but tab and line feed, and the codes that reverse the order in which text is shown.
// A string sequence ends with its line, so that one text cannot swallow those printed after it.
const sequences =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]|(?:\x1b[P\]X^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]?/g;
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

// Noncharacters of Unicode. `style.ts` marks this program's own styles with some of them.
const noncharacters = /[\ufdd0-\ufdef]/g;

/** Text without escape sequences and control characters, tab and line feed kept. Marks of styles stay. */
export const withoutControls = (text: string): string =>
  text.replace(/\r\n/g, "\n").replace(sequences, "").replace(controls, "");

/** JSON with every character escaped that a terminal would act on. JSON itself leaves some control characters unescaped. */
export const escapedControls = (json: string): string =>
  json.replace(controls, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Text from anybody, made safe to show: without control characters and without marks of styles. */
export const clean = (text: string): string => withoutControls(text.replace(noncharacters, ""));

/** A name, title or other short text, made safe to show and kept on one line. */
export const oneLine = (text: string): string => clean(text.replace(lineBreaks, " "));
