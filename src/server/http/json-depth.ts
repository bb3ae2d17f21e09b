const quote = 0x22;
const backslash = 0x5c;
const [openList, closeList] = [0x5b, 0x5d];
const [openObject, closeObject] = [0x7b, 0x7d];

/**
 * Whether lists and objects in JSON are nested deeper than `most`. It reads bytes and does not parse. For invalid JSON it
 * counts the depth that a parser would reach before it finds the error.
 */
export const isDeeper = (json: Uint8Array, most: number): boolean =>
  hasMoreOpenings(json, most) && deepens(json, most);

/** Whether there are more opening brackets than `most`, texts included. This alone clears nearly every valid body. */
function hasMoreOpenings(json: Uint8Array, most: number): boolean {
  let found = 0;
  for (const opening of [openList, openObject])
    for (let at = json.indexOf(opening); at >= 0; at = json.indexOf(opening, at + 1))
      if (++found > most) return true;
  return false;
}

/** Counts the brackets outside of texts. UTF-8 need not be decoded, because no byte of a longer character is ASCII. */
function deepens(json: Uint8Array, most: number): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inText) {
      if (byte === backslash) at++;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === openList || byte === openObject) {
      if (++depth > most) return true;
    } else if (byte === closeList || byte === closeObject) depth--;
  }
  return false;
}
