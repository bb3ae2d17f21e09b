import { changeJson, readJson, readText, writePrivate, type JsonFile } from "./private-files.ts";

/** Cache of one run: files of this machine, and answers of servers. */
export interface RunCache {
  /** A text file's content. A missing file is looked for again each time: a server may write it meanwhile. */
  text(path: string): string | null;
  json<T>(file: JsonFile<T>): T | null;
  /** Writes a text file. */
  write(path: string, text: string): void;
  /** Changes a JSON file, from what it holds at that moment. */
  change<T>(file: JsonFile<T>, empty: T, change: (content: T) => T): void;
  /** Forgets the files, because other runs may have changed them. */
  forgetFiles(): void;
  /** The answer to a question: the first one given under this name, unless it failed or was null. */
  asked<T>(name: string, ask: () => Promise<T>): Promise<T>;
}

/** An empty cache, for a run that begins. */
export function emptyRunCache(): RunCache {
  const files = new Map<string, unknown>();
  const answers = new Map<string, Promise<unknown>>();
  return {
    text(path) {
      const text = files.get(path) ?? readText(path);
      if (text !== null) files.set(path, text);
      return text as string | null;
    },
    json<T>(file: JsonFile<T>) {
      if (!files.has(file.path)) files.set(file.path, readJson(file));
      return files.get(file.path) as T | null;
    },
    write(path, text) {
      writePrivate(path, text);
      files.delete(path);
    },
    change(file, empty, change) {
      changeJson(file, empty, change);
      files.delete(file.path);
    },
    forgetFiles: () => files.clear(),
    asked<T>(name: string, ask: () => Promise<T>) {
      const answer = answers.get(name) ?? ask();
      answers.set(name, answer);
      const forget = () => answers.delete(name);
      answer.then((given) => given ?? forget(), forget);
      return answer as Promise<T>;
    },
  };
}
