/** Largest JSON answer that is read, in bytes. A page of 200 longest messages has at most 40 MB, if every character is escaped. */
export const largestAnswer = 64 * 1024 * 1024;

/** The JSON of an answer. Fails at one of more than `limit` bytes without reading on, also where few bytes unpack to many. */
export async function answeredJson(response: Response, limit = largestAnswer): Promise<unknown> {
  const { body, headers } = response;
  const said = headers.get("content-length");
  const isShort = said !== null && Number(said) <= limit && !headers.has("content-encoding");
  if (!body || isShort) return response.json();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // A reader of its own: Safari reads no body with `for await`.
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Response(new Blob(chunks)).json();
    size += value.length;
    if (size > limit) {
      void reader.cancel().catch(() => {});
      throw new Error(`The answer has more than ${limit} bytes`);
    }
    chunks.push(value);
  }
}
