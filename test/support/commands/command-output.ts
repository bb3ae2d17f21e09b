/** What a command says on one of its outputs. */
export interface Heard {
  add(bytes: Uint8Array): void;
  /** Nothing more is said. */
  close(): void;
  /** What was said up to now, once it holds a text. Fails when nothing more is said without it. */
  until(part: string): Promise<string>;
  /** All that is said, once nothing more is. */
  readonly all: Promise<string>;
}

/** Collects what a command says. */
export function hearing(): Heard {
  const decoder = new TextDecoder();
  const whole = Promise.withResolvers<string>();
  let text = "";
  let isOver = false;
  let more = Promise.withResolvers<void>();
  return {
    add(bytes) {
      text += decoder.decode(bytes, { stream: true });
      more.resolve();
      more = Promise.withResolvers();
    },
    close() {
      isOver = true;
      more.resolve();
      whole.resolve(text);
    },
    async until(part) {
      while (!text.includes(part)) {
        if (isOver) throw new Error(`it ended without saying ${part}: ${text}`);
        await more.promise;
      }
      return text;
    },
    all: whole.promise,
  };
}

/** What comes out of a process. */
export function heardFrom(stream: ReadableStream<Uint8Array>): Heard {
  const heard = hearing();
  void (async () => {
    for await (const chunk of stream) heard.add(chunk);
    heard.close();
  })();
  return heard;
}
