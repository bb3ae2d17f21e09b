import { Unreachable } from "../../client/client.ts";

/**
 * A response whose body ends early when nothing arrives for so many milliseconds, and fails as `Unreachable` when the
 * connection breaks. Only such a limit notices a connection that died silently.
 */
export function withIdleTimeout(response: Response, silenceMs: number): Response {
  if (!response.body) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const silence = setTimeout(() => void reader.cancel(), silenceMs);
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        controller.error(new Unreachable("The connection was lost", { cause }));
      } finally {
        clearTimeout(silence);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
