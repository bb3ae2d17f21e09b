import { useState } from "preact/hooks";
import {
  downloadAddress,
  formOf,
  largestText,
  previewAddress,
} from "../../core/files/file-bytes.ts";
import type { FileVersion, ShownFile } from "../../core/files/files.ts";
import { sizeOf } from "../../parts/composer/composer-files.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { Lines } from "../../parts/text/lines.tsx";
import { Failed } from "../../parts/problem.tsx";
import { Written } from "../../parts/text/text.tsx";
import { visible } from "../../parts/who.tsx";
import { useTexts } from "./text-of.ts";

interface Of {
  readonly file: ShownFile;
  readonly version: FileVersion;
}

const nameOf = ({ file, version }: Of): string =>
  `${visible(file.name)}, version ${version.version}`;

/** A version as a person reads it: a document, a text, a picture, or what there is to save. */
export function Read({ file, version }: Of) {
  switch (formOf(file.name, version)) {
    case "picture":
      return <Picture file={file} version={version} />;
    case "html":
      return <Framed file={file} version={version} />;
    case "bytes":
      return <ToSave file={file} version={version} />;
    default:
      return <Text file={file} version={version} />;
  }
}

/** Bytes that the page does not show. */
export function ToSave({ file, version, why }: Of & { why?: string }) {
  const isLarge = version.size > largestText && version.media_type.startsWith("text/");
  return (
    <div class="blank">
      <Icon name="file" />
      <h2 class="mono">{visible(file.name)}</h2>
      <p class="dim">
        {why ??
          (isLarge
            ? "This text is too large to show here."
            : "This kind of file is not shown here.")}{" "}
        It has {sizeOf(version.size)}, as {visible(version.media_type)}.
      </p>
      <p class="act">
        <a class="b p" href={downloadAddress(file, version)} download>
          <Icon name="save" small />
          Save version {version.version}
        </a>
      </p>
    </div>
  );
}

function Picture({ file, version }: Of) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken)
    return <ToSave file={file} version={version} why="It is not a picture that can be shown." />;
  return (
    <div class="scroll pic" tabIndex={0} role="region" aria-label={nameOf({ file, version })}>
      <img
        src={previewAddress(file, version)}
        alt={visible(file.name)}
        onError={() => setBroken(true)}
      />
    </div>
  );
}

/** A document of somebody else's. It has no rights, and its own policy besides. */
const Framed = ({ file, version }: Of) => (
  <iframe
    class="sandbox"
    sandbox=""
    referrerpolicy="no-referrer"
    src={previewAddress(file, version)}
    title={nameOf({ file, version })}
  />
);

function Text({ file, version }: Of) {
  const [read] = useTexts(file, [version]);
  if (!read || read.state === "loading") return <Bones what="the text" />;
  if (read.state === "failed")
    return (
      <Failed what="The text could not be read." error={read.error} again={() => read.again()} />
    );
  if (read.text === null) return <ToSave file={file} version={version} />;
  if (read.text === "") return <p class="empty">Version {version.version} is empty.</p>;
  if (formOf(file.name, version) === "markdown")
    return (
      <div class="page" tabIndex={0} role="region" aria-label={nameOf({ file, version })}>
        <Written text={read.text} of={{ board: file.board, mentions: [] }} isDocument />
      </div>
    );
  return <Lines text={read.text} language="" label={nameOf({ file, version })} />;
}
