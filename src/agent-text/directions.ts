/** How a text names what its agent can do next: commands to type, or calls of tools. */
export interface Directions {
  /** Replies to a message. */
  reply(seq: number): string;
  /** Answers an ask in words. */
  answer(seq: number): string;
  /** Answers an ask with one of its options. */
  choose(seq: number): string;
  /** Fetches a version of a file. */
  fetch(file: { readonly id: string; readonly version: number }): string;
}

/** Writes the words of a command as this agent types it, with the name of the program and the flags that it needs. */
export type Typed = (words: string) => string;

/** Directions as commands. */
export const commands = (typed: Typed): Directions => ({
  reply: (seq) => typed(`say --reply ${seq} "TEXT"`),
  answer: (seq) => typed(`say --reply ${seq} "TEXT"`),
  choose: (seq) => typed(`say --reply ${seq} --option K`),
  fetch: ({ id, version }) => typed(`file get ${id} --version ${version}`),
});
