// The import is the text of the file, which the file itself does not export.
// oxlint-disable-next-line import/default
import opencodePlugin from "./opencode-plugin.js" with { type: "text" };

/** What a built-in file of ours says about this machine. */
interface Filling {
  /** The absolute path of this program. */
  readonly program: string;
  /** `SERVICE_HOME`, if it is set. */
  readonly home?: string | undefined;
}

const files: Readonly<Record<string, string>> = { "opencode-plugin.js": opencodePlugin };

/** The finished text of a built-in file, by the `source` of its install item. Null if there is none of that name. */
export function builtInFile(source: string, { program, home = "" }: Filling): string | null {
  const text = files[source];
  if (text === undefined) return null;
  const inside = (value: string) => JSON.stringify(value).slice(1, -1);
  return text
    .replaceAll("{service_binary}", () => inside(program))
    .replaceAll("{service_home}", () => inside(home));
}
