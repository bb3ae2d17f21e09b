import { useEffect, useState } from "preact/hooks";
import { textOf } from "../../core/files/file-bytes.ts";
import type { FileRecord, FileVersion } from "../../core/files/files.ts";

/** The text of a version: not there yet, not to be had, or null if its bytes are no text. */
export type TextRead =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly error: unknown; again(): void }
  | { readonly state: "ready"; readonly text: string | null };

/** Reads the texts of some versions, and gives them together. */
export function useTexts(file: FileRecord, versions: readonly FileVersion[]): readonly TextRead[] {
  const [read, setRead] = useState<ReadonlyMap<string, TextRead>>(new Map());
  const [tries, setTries] = useState(0);
  const digests = versions.map(({ digest }) => digest).join();
  useEffect(() => {
    let isCurrent = true;
    const note = (digest: string, one: TextRead) => {
      if (isCurrent) setRead((before) => new Map([...before, [digest, one]]));
    };
    const again = () => setTries((before) => before + 1);
    for (const version of versions)
      textOf(file, version).then(
        (text) => note(version.digest, { state: "ready", text }),
        (error: unknown) => note(version.digest, { state: "failed", error, again }),
      );
    return () => {
      isCurrent = false;
    };
  }, [digests, tries]);
  return versions.map(({ digest }) => read.get(digest) ?? { state: "loading" });
}
