const block = 512;

/** What precedes a plain file in a tar: its name, of at most 100 characters of ASCII, and its size. */
export function tarHeader(name: string, size: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(block);
  const put = (at: number, text: string) => header.set(new TextEncoder().encode(text), at);
  put(0, name);
  put(100, "0000600\0");
  put(108, "0000000\0");
  put(116, "0000000\0");
  put(124, `${size.toString(8).padStart(11, "0")}\0`);
  put(136, "00000000000\0");
  put(148, " ".repeat(8));
  put(156, "0");
  put(257, "ustar");
  put(263, "00");
  const sum = header.reduce((all, byte) => all + byte, 0);
  put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
  return header;
}

/** What follows a file in a tar, so that the next one begins with a block. */
export const tarPadding = (size: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(-size & (block - 1));

/** The end of a tar. */
export const tarEnd = (): Uint8Array<ArrayBuffer> => new Uint8Array(2 * block);

/** How many bytes a file takes in a tar. */
export const sizeInTar = (size: number): number => block + Math.ceil(size / block) * block;
