import { useEffect, useRef } from "preact/hooks";
import { useDroppedFiles } from "../../parts/composer/dropped-files.ts";
import { Icon } from "../../parts/icon.tsx";
import { UploadRow } from "../../parts/composer/composer-files.tsx";
import type { Upload } from "../../core/files/uploads.ts";
import { fileAddress } from "../../core/files/file-view.ts";
import { visible } from "../../parts/who.tsx";
import { dropUpload, uploadsTo } from "./held.ts";

/** No form takes what is dropped here: the place itself does. */
const noForm = { current: null };

/** A button that lets the person choose files. */
export function ChooseFiles({
  words,
  take,
  many = false,
}: {
  words: string;
  take: (files: readonly File[]) => void;
  many?: boolean;
}) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <button class="b" type="button" onClick={() => field.current?.click()}>
        <Icon name={many ? "plus" : "up"} small />
        {words}
      </button>
      <input
        ref={field}
        type="file"
        hidden
        multiple={many}
        aria-label={words}
        onChange={({ currentTarget }) => {
          take([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
    </>
  );
}

/** Takes files that are dropped anywhere on the place, and says so while they are held over it. */
export function DropFiles({
  take,
  words,
}: {
  take: (files: readonly File[]) => void;
  words: string;
}) {
  const isOver = useDroppedFiles(noForm, take);
  return isOver ? (
    <p class="drop-here" role="status">
      <Icon name="up" />
      {words}
    </p>
  ) : null;
}

/** What this tab uploads to the board, each with how far it has come. What is done goes with the next news. */
export function Uploads({ board }: { board: string }) {
  const list = uploadsTo(board).value;
  if (list.length === 0) return null;
  return (
    <div class="ups pad" role="group" aria-label="Uploads">
      {list.map((one) => (
        <Row key={one.id} one={one} />
      ))}
    </div>
  );
}

/** What is done is shown this long. */
const doneMs = 6_000;

function Row({ one }: { one: Upload }) {
  const step = one.step.value;
  const isDone = step.at === "done";
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => dropUpload(one), doneMs);
    return () => clearTimeout(timer);
  }, [isDone]);
  if (step.at !== "done") return <UploadRow upload={one} onDrop={() => dropUpload(one)} />;
  const { file } = step;
  return (
    <div class="up" role="status">
      <Icon name="check" />
      <span class="clip1">
        <a class="mono" href={fileAddress(file.board, file.name)}>
          {visible(file.name)}
        </a>{" "}
        <span class="muted">
          {file.changed ? `is version ${file.latest.version}` : "has these bytes already"}
        </span>
      </span>
    </div>
  );
}
