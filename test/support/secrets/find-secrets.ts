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
export function findings(
  secrets: readonly Planted[],
  places: readonly Place[],
  forms: (secret: Planted) => readonly Buffer[] = ({ text }) => formsOf(text),
): string[] {
  const standing = finderOf(secrets, forms);
  return places
    .flatMap((place) => [...standing(place)].map(({ what }) => `${what}: ${place.name}`))
    .sort();
}

/** Finds those of some secrets that stand in a place. It is gone through once, however many forms they have. */
function finderOf(secrets: readonly Planted[], formsOfOne: (secret: Planted) => readonly Buffer[]) {
  const isStart = new Uint8Array(1 << 24);
  const byStart = new Map<number, { secret: Planted; form: Buffer }[]>();
  for (const secret of secrets)
    for (const form of formsOfOne(secret)) {
      const start = form.readUIntLE(0, 3);
      isStart[start] = 1;
      byStart.set(start, [...(byStart.get(start) ?? []), { secret, form }]);
    }
  return ({ bytes }: Place): Set<Planted> => {
    const found = new Set<Planted>();
    const searched = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0, start = 0; at < bytes.length; at++) {
      // The three bytes that end here, the first of them lowest.
      start = (start >>> 8) | (bytes[at]! << 16);
      if (at < 2 || isStart[start] === 0) continue;
      for (const { secret, form } of byStart.get(start)!)
        if (searched.subarray(at - 2, at - 2 + form.length).equals(form)) found.add(secret);
    }
    return found;
  };
}
