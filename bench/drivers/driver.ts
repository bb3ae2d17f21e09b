import { remember, stop } from "../processes.ts";

/** A process that keeps connections open and does what it is asked, one request after the other. */
export interface Driver<Requests extends object> {
  /** Sends a request and gives the driver's answer; throws what the driver threw. */
  ask<N extends keyof Requests & string>(
    name: N,
    input: InputOf<Requests[N]>,
  ): Promise<OutputOf<Requests[N]>>;
  stop(): Promise<void>;
}

type Handler = (input: never) => unknown;
type InputOf<H> = H extends (input: infer I) => unknown ? I : never;
type OutputOf<H> = H extends (input: never) => infer O ? Awaited<O> : never;

type Answer = { value: unknown } | { error: string };

/** Starts a driver of `bench/drivers`. */
export function startDriver<Requests extends object>(script: string): Driver<Requests> {
  let answered: PromiseWithResolvers<unknown> | undefined;
  const child = remember(
    Bun.spawn([process.execPath, new URL(script, import.meta.url).pathname], {
      stdio: ["ignore", "inherit", "inherit"],
      ipc(answer: Answer) {
        if ("error" in answer) answered?.reject(new Error(answer.error));
        else answered?.resolve(answer.value);
      },
    }),
  );
  void child.exited.then((code) => answered?.reject(new Error(`${script} ended with ${code}`)));
  return {
    ask(name, input) {
      answered = Promise.withResolvers();
      child.send({ name, input });
      return answered.promise as Promise<never>;
    },
    stop: () => stop(child),
  };
}

/** Makes this process a driver: answers what its parent asks with these functions, until the parent ends it. */
export function serveDriver(handlers: Record<string, Handler>): void {
  process.on("message", async ({ name, input }: { name: string; input: never }) => {
    try {
      process.send!({ value: await handlers[name]!(input) } satisfies Answer);
    } catch (error) {
      process.send!({
        error: error instanceof Error ? error.message : String(error),
      } satisfies Answer);
    }
  });
  process.on("disconnect", () => process.exit(0));
}
