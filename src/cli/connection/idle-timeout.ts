import { Unreachable } from "../../client/client.ts";
import type { Cli } from "../frame/cli.ts";

type Clock = Cli["clock"];

/** An answer that receives nothing for so long has failed. */
const silenceMs = 60_000;

/** An answer of so many bytes at most, which its head says, is read at once. */
const shortBytes = 64 * 1024;

/**
 * A response whose body ends early when nothing arrives for a minute, and fails as `Unreachable` when the connection
 * breaks. Only such a limit notices a connection that died silently. A short body is read here, because a stream of its own
 * takes longer to make than the body takes to come. If it has not come whole within a minute, this throws `Unreachable`.
 */
export async function withIdleTimeout(
  { clock }: Pick<Cli, "clock">,
  response: Response,
): Promise<Response> {
  if (!response.body) return response;
  const { status, headers } = response;
  const body = isShort(headers)
    ? await wholeBody(clock, response)
    : untilSilence(clock, response.body);
  return new Response(body, { status, headers });
}

function isShort(headers: Headers): boolean {
  const said = headers.get("content-length");
  return said !== null && Number(said) <= shortBytes && !headers.has("content-encoding");
}

async function wholeBody(clock: Clock, response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const silence = Promise.withResolvers<never>();
  const arrived = clock.after(silenceMs, () => silence.reject(new Error("nothing arrives")));
  try {
    return await Promise.race([response.bytes(), silence.promise]);
  } catch (cause) {
    throw lost(cause);
  } finally {
    arrived();
  }
}

function untilSilence(clock: Clock, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const arrived = clock.after(silenceMs, () => void reader.cancel());
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        controller.error(lost(cause));
      } finally {
        arrived();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const lost = (cause: unknown) => new Unreachable("The connection was lost", { cause });
