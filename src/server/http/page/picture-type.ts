/** The bytes with which each kind of picture begins, and from which byte on. */
const signatures: readonly (readonly [type: string, bytes: string, at?: number])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "WEBP", 8],
  ["image/avif", "ftypavif", 4],
  ["image/bmp", "BM"],
  ["image/x-icon", "\0\0\x01\0"],
];

/**
 * The media type of a picture by its first bytes, or null if they begin none. The writer's type and the name are not
 * believed: a picture that is something else is shown as nothing. SVG is a text, so its first sign is all that it has.
 */
export function pictureTypeOf(first: Uint8Array): string | null {
  const text = String.fromCharCode(...first.subarray(0, 512));
  for (const [type, bytes, at = 0] of signatures)
    if (text.startsWith(bytes, at) && (at !== 8 || text.startsWith("RIFF"))) return type;
  const start = text.replace(/^\xef\xbb\xbf/, "").trimStart();
  return /^<(\?xml|!doctype svg|!--|svg)/i.test(start) ? "image/svg+xml" : null;
}
