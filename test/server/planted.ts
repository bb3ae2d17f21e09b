/** A secret that a test knows, and what it stands for. */
export interface Planted {
  readonly what: string;
  readonly text: string;
  /** An answer that holds it is kept for its caller. */
  readonly kept?: true;
  /** Nothing of it is stored, not even a digest. */
  readonly inMemory?: true;
}

/** Bytes, and where they were written: a file, a column, a stream, what was printed. */
export interface Place {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Shorter texts are found everywhere by chance. */
const shortestForm = 7;

/** What Base64 makes of bytes that stand anywhere in longer ones, without the characters that depend on what stands around. */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const placed = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = placed.subarray(0, placed.length - (placed.length % 3));
    const text = whole.toString("base64").slice(shift === 0 ? 0 : 4);
    return [text, text.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

const inEach = (text: string, write: (byte: number) => string) =>
  [...Buffer.from(text)].map(write).join("");
const hex = (byte: number) => byte.toString(16).padStart(2, "0");

/** A text as it may stand somewhere: as it is, cut short, and as programs write it down. */
export function formsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const long = text.length > 16;
  const forms = [
    text,
    text.toLowerCase(),
    text.toUpperCase(),
    ...(long ? [text.slice(4, 24), text.slice(-20)] : []),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...base64Of(bytes).filter((form) => form.length > shortestForm),
    encodeURIComponent(text),
    text.replaceAll("-", "%2D"),
    inEach(text, (byte) => `%${hex(byte)}`),
    inEach(text, (byte) => `%${hex(byte).toUpperCase()}`),
    inEach(text, (byte) => `\\u00${hex(byte)}`),
    inEach(text, (byte) => `\\u00${hex(byte).toUpperCase()}`),
    inEach(text, (byte) => `\\x${hex(byte)}`),
  ];
  const texts = [...new Set(forms)].filter((form) => form.length >= shortestForm);
  return [...texts.map((form) => Buffer.from(form)), Buffer.from(text, "utf16le")];
}

/** A digest, given in hex, as it may stand somewhere. */
export const formsOfDigest = (digest: string): Buffer[] => [
  ...formsOf(digest),
  Buffer.from(digest, "hex"),
  ...base64Of(Buffer.from(digest, "hex")).map((form) => Buffer.from(form)),
];

/** Whether a place holds one of some forms. */
export function holds({ bytes }: Place, forms: readonly Buffer[]): boolean {
  const searched = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return forms.some((form) => searched.includes(form));
}

/** Whether a short code stands somewhere without its dash, as a word of its own: six characters by themselves are in any id. */
export function holdsWord({ bytes }: Place, code: string): boolean {
  const word = code.replace("-", "");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return new RegExp(`(?<![0-9A-Za-z])${word}(?![0-9A-Za-z])`).test(text);
}

/** Which secrets stand where: `what: place`, sorted. */
export const findings = (
  secrets: readonly Planted[],
  places: readonly Place[],
  forms: (secret: Planted) => readonly Buffer[] = ({ text }) => formsOf(text),
): string[] =>
  secrets
    .flatMap((secret) => {
      const looked = forms(secret);
      return places
        .filter((place) => holds(place, looked))
        .map(({ name }) => `${secret.what}: ${name}`);
    })
    .sort();
