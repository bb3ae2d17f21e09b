/** Elements that lead out of a document by themselves. What is in `noscript` is not read here, and a browser would show it. */
const leading = [
  "link",
  "base",
  "meta[http-equiv]",
  "iframe",
  "frame",
  "object",
  "embed",
  "noscript",
];

/** Attributes by which an element leads out of a document once somebody acts on it. */
const attributes = ["href", "xlink:href", "ping", "action", "formaction"];

/**
 * The same document without what leads out of it. No policy keeps a browser from opening the connection of a frame or link
 * that it then refuses to load, and that connection tells the document's writer who looks. A link within it stays.
 */
export const withoutWaysOut = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
  const rewriter = new HTMLRewriter();
  for (const name of leading) rewriter.on(name, { element: (one) => void one.remove() });
  for (const name of ["a", "area", "form", "button", "input"])
    rewriter.on(name, {
      element(one) {
        for (const attribute of attributes)
          if (one.getAttribute(attribute)?.startsWith("#") === false)
            one.removeAttribute(attribute);
      },
    });
  return rewriter.transform(new Response(body)).body!;
};
