import { languageOfFile } from "../../core/files/code.ts";
import type { FileVersion, ShownFile } from "../../core/files/files.ts";
import { Bones } from "../../parts/frame/lazily.tsx";
import { Lines } from "../../parts/text/lines.tsx";
import { Failed } from "../../parts/problem.tsx";
import { visible } from "../../parts/who.tsx";
import { ToSave } from "./read.tsx";
import { useTexts } from "./text-of.ts";

/** The text of a version as it was written, in the colours of its language. */
export function Source({ file, version }: { file: ShownFile; version: FileVersion }) {
  const [read] = useTexts(file, [version]);
  if (!read || read.state === "loading") return <Bones what="the source" />;
  if (read.state === "failed")
    return (
      <Failed what="The source could not be read." error={read.error} again={() => read.again()} />
    );
  if (read.text === null) return <ToSave file={file} version={version} why="It is not a text." />;
  return (
    <Lines
      text={read.text}
      language={languageOfFile(file.name)}
      label={`Source of ${visible(file.name)}, version ${version.version}`}
    />
  );
}
