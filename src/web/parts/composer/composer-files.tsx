import { useState } from "preact/hooks";
import type { DraftFile } from "../../core/sending/drafts.ts";
import type { Upload } from "../../core/files/uploads.ts";
import { detach, lostFiles, uploads } from "../../core/sending/writing.ts";
import type { Writing } from "./writing.ts";
import { Icon } from "../icon.tsx";
import { visible } from "../who.tsx";

/** The files of a message that is being written, each with how far it has come. */
export function FilesOfDraft({ writing: { draft, place } }: { writing: Writing }) {
  if (draft.files.length === 0) return null;
  return (
    <div class="ups" role="group" aria-label="Files of the message">
      {draft.files.map((file) => (
        <FileRow key={file.id} file={file} onDrop={() => detach(place, file.id)} />
      ))}
    </div>
  );
}

function FileRow({ file, onDrop }: { file: DraftFile; onDrop: () => void }) {
  const one = uploads.value.get(file.id);
  if (one && !file.file) return <UploadRow upload={one} onDrop={onDrop} />;
  const isLost = !file.file && lostFiles.value.has(file.id);
  return (
    <div class="up">
      <Icon name="file" />
      <span class="clip1 mono">{visible(file.name)}</span>
      <span class="muted num">
        {file.file
          ? `version ${file.version}, ${sizeOf(file.size)}`
          : isLost
            ? ""
            : "uploaded by another tab"}
      </span>
      <DropButton name={file.name} label="Without" onDrop={onDrop} />
      {isLost && (
        <p class="err" role="alert">
          <Icon name="warn" small />
          <span>This browser no longer has its bytes. Take it out and attach it again.</span>
        </p>
      )}
    </div>
  );
}

const DropButton = ({
  name,
  label,
  onDrop,
}: {
  name: string;
  label: string;
  onDrop: () => void;
}) => (
  <button class="ib" type="button" aria-label={`${label} ${visible(name)}`} onClick={onDrop}>
    <Icon name="x" small />
  </button>
);

/** An upload as a row: its name, how far it has come, and what it asks. `onDrop` takes it out. */
export function UploadRow({ upload, onDrop }: { upload: Upload; onDrop: () => void }) {
  const name = upload.name.value;
  const step = upload.step.value;
  const isOnItsWay = step.at === "runs" || step.at === "waits";
  const sent = step.at === "runs" ? step.sent : 0;
  return (
    <div class="up">
      <Icon name="file" />
      <span class="clip1 mono">{visible(name)}</span>
      <span class="muted num">
        {step.at === "runs"
          ? `${sizeOf(sent, upload.size)} of ${sizeOf(upload.size)}`
          : step.at === "waits"
            ? `${sizeOf(upload.size)}, waits for its turn`
            : sizeOf(upload.size)}
      </span>
      <DropButton name={name} label={isOnItsWay ? "Stop uploading" : "Without"} onDrop={onDrop} />
      {isOnItsWay && <progress max={Math.max(1, upload.size)} value={sent} aria-label={name} />}
      {step.at === "exists" && <NameTaken upload={upload} version={step.version} by={step.by} />}
      {(step.at === "stopped" || step.at === "refused") && (
        <p class="err" role="alert">
          <Icon name="warn" small />
          <span>{step.why}</span>
          {step.at === "stopped" && (
            <button class="b" type="button" onClick={() => upload.again()}>
              Go on
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** Asks what a file is to be whose name another one has. */
function NameTaken({ upload, version, by }: { upload: Upload; version: number; by: string }) {
  const taken = upload.name.value;
  const [other, setOther] = useState(otherName(taken));
  const rename = () => {
    if (other.trim() !== "" && other !== taken) upload.rename(other);
  };
  return (
    <div class="taken" role="alert">
      <p>
        The board has a file of this name: version {version}
        {by && ` by ${visible(by)}`}.
      </p>
      <div class="act">
        <button class="b" type="button" onClick={() => upload.asVersion()}>
          New version of it
        </button>
        <input
          class="f mono"
          aria-label="Another name"
          value={other}
          onInput={({ currentTarget }) => setOther(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            rename();
          }}
        />
        <button class="b" type="button" onClick={rename}>
          Use this name
        </button>
      </div>
    </div>
  );
}

/** A name beside one that is taken: `notes.md` becomes `notes-2.md`. */
function otherName(name: string): string {
  const [, stem = name, , number, ending = ""] = /^(.*?)(-(\d+))?(\.[^./]*)?$/.exec(name) ?? [];
  return `${stem}-${Number(number ?? 1) + 1}${ending}`;
}

const units = ["bytes", "kB", "MB"] as const;

/** A size as a person reads it. `like` gives the unit, which is left out then. */
export function sizeOf(bytes: number, like?: number): string {
  const measure = like ?? bytes;
  const step = measure < 1_000 ? 0 : measure < 1_000_000 ? 1 : 2;
  const number = bytes / 1_000 ** step;
  const written = step === 0 ? String(bytes) : number.toFixed(number < 10 ? 1 : 0);
  return like === undefined ? `${written} ${units[step]}` : written;
}
