import { Unreachable } from "../../client/client.ts";
import type { Cli } from "../frame/cli.ts";

/** An answer that receives nothing for so long has failed. */
const silenceMs = 60_000;

/**
 * A response whose body ends early when nothing arrives for a minute, and fails as `Unreachable` when the connection
 * breaks. Only such a limit notices a connection that died silently.
 */
export function withIdleTimeout({ clock }: Pick<Cli, "clock">, response: Response): Response {
  if (!response.body) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const arrived = clock.after(silenceMs, () => void reader.cancel());
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        controller.error(new Unreachable("The connection was lost", { cause }));
      } finally {
        arrived();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
