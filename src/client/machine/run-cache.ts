import {
  changeJson,
  markOf,
  readJson,
  readText,
  writePrivate,
  type JsonFile,
} from "./private-files.ts";

/** Cache of one run: files of this machine, and answers of servers. */
export interface RunCache {
  /** A text file's content. A missing file is looked for again each time: a server may write it meanwhile. */
  text(path: string): string | null;
  /** A JSON file's content, as for a text file. */
  json<T>(file: JsonFile<T>): T | null;
  /** Writes a text file. */
  write(path: string, text: string): void;
  /** Changes a JSON file, from what it holds at that moment. */
  change<T>(file: JsonFile<T>, empty: T, change: (content: T) => T): void;
  /** Looks at each file again before it is used, because other runs may have changed it. It is read again only if they have. */
  forgetFiles(): void;
  /** The answer to a question: the first one given under this name, unless it failed or was null. */
  asked<T>(name: string, ask: () => Promise<T>): Promise<T>;
}

interface Kept {
  readonly content: unknown;
  readonly mark: string | null;
  /** Whether nothing else can have changed the file since it was looked at. */
  isSure: boolean;
}

/** An empty cache, for a run that begins. */
export function emptyRunCache(): RunCache {
  const files = new Map<string, Kept>();
  const answers = new Map<string, Promise<unknown>>();
  function kept<T>(path: string, read: () => T | null): T | null {
    const known = files.get(path);
    if (known?.isSure) return known.content as T;
    const mark = markOf(path);
    if (known && mark !== null && known.mark === mark) {
      known.isSure = true;
      return known.content as T;
    }
    files.delete(path);
    const content = read();
    if (content !== null) files.set(path, { content, mark, isSure: true });
    return content;
  }

  return {
    text: (path) => kept(path, () => readText(path)),
    json: (file) => kept(file.path, () => readJson(file)),
    write(path, text) {
      writePrivate(path, text);
      files.delete(path);
    },
    change(file, empty, change) {
      changeJson(file, empty, change);
      files.delete(file.path);
    },
    forgetFiles() {
      for (const file of files.values()) file.isSure = false;
    },
    asked<T>(name: string, ask: () => Promise<T>) {
      const answer = answers.get(name) ?? ask();
      answers.set(name, answer);
      const forget = () => answers.delete(name);
      answer.then((given) => given ?? forget(), forget);
      return answer as Promise<T>;
    },
  };
}
