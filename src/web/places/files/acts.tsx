import { useState } from "preact/hooks";
import { nearBoardName } from "../../../client/file-name.ts";
import { bringBack, keepCurrent, remove, rename } from "../../core/files/file-acts.ts";
import { downloadAddress } from "../../core/files/file-bytes.ts";
import { fileAddress } from "../../core/files/file-view.ts";
import type { FileVersion, ShownFile } from "../../core/files/files.ts";
import { sentenceOf } from "../../core/connection/problems.ts";
import { copyLinkTo } from "../../core/screen/copy.ts";
import { addressOf, go } from "../../core/screen/router.ts";
import { toast } from "../../core/screen/toasts.ts";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { MenuButton, type MenuItem } from "../../parts/menu.tsx";
import { visible } from "../../parts/who.tsx";
import { showUpload } from "./held.ts";

/** What can be done about a file. */
export function FileMenu({ file, canWrite }: { file: ShownFile; canWrite: boolean }) {
  const [open, setOpen] = useState<"rename" | "remove" | null>(null);
  const close = () => setOpen(null);
  const acts: readonly MenuItem[] = [
    { label: "Rename…", icon: "edit", isApart: true, run: () => setOpen("rename") },
    {
      label: file.maintained ? "Keep it current no longer" : "Keep it current",
      icon: "pin",
      run: () => void keepCurrent(file, !file.maintained),
    },
    { label: "Remove…", icon: "x", isBad: true, isApart: true, run: () => setOpen("remove") },
  ];
  return (
    <>
      <MenuButton
        label="File menu"
        items={[
          { label: "Copy its link", icon: "link", run: () => copyLink(file) },
          ...(canWrite ? acts : []),
        ]}
      >
        <Icon name="dots" />
      </MenuButton>
      {open === "rename" && <Rename file={file} onEnd={close} />}
      {open === "remove" && <Remove file={file} onEnd={close} />}
    </>
  );
}

const copyLink = ({ board, name, id, isRemoved }: ShownFile) =>
  copyLinkTo(fileAddress(board, isRemoved ? id : name), `the link of ${visible(name)}`);

function Rename({ file, onEnd }: { file: ShownFile; onEnd: () => void }) {
  const [name, setName] = useState(file.name);
  const [problem, setProblem] = useState<string | null>(null);
  const near = nearBoardName(name);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (near === file.name) return onEnd();
    try {
      await rename(file, near);
      onEnd();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <Dialog
      title={`Rename ${visible(file.name)}`}
      onClose={onEnd}
      foot={
        <>
          <button class="b" type="button" onClick={onEnd}>
            Leave it
          </button>
          <button class="b p" type="submit" form="rename-file">
            Rename
          </button>
        </>
      }
    >
      <form id="rename-file" onSubmit={(event) => void submit(event)}>
        <label class="lb" for="file-name">
          Its new name
        </label>
        <input
          class="f mono"
          id="file-name"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <p class="hint">
          {near === name
            ? "It keeps its versions and approvals. Links with the old name lead nowhere then."
            : `It will be named ${near}.`}
        </p>
        {problem && (
          <p class="err" role="alert">
            <Icon name="warn" small />
            <span>{problem}</span>
          </p>
        )}
      </form>
    </Dialog>
  );
}

function Remove({ file, onEnd }: { file: ShownFile; onEnd: () => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const yes = async () => {
    setBusy(true);
    try {
      await remove(file);
      go(addressOf(file.board, "files"));
      toast({
        text: `${visible(file.name)} was removed.`,
        action: {
          label: "Show it",
          run: () => go(fileAddress(file.board, file.id)),
        },
      });
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Confirm
      title={`Remove ${visible(file.name)}?`}
      yes="Remove it"
      no="Keep it"
      isBad
      isBusy={isBusy}
      problem={problem}
      onYes={() => void yes()}
      onNo={onEnd}
    >
      <p>
        It leaves the list and its name is free. Messages that brought it still lead to{" "}
        {file.versions.length === 1 ? "its version" : `its ${file.versions.length} versions`}, and
        who wrote and approved them stays in the record.
      </p>
      <p class="dim">A file that gets this name later is another file and begins at version 1.</p>
    </Confirm>
  );
}

/** Asks before the bytes of an earlier version become the newest, or a removed file is there again. */
export function BringBack({
  file,
  version,
  onEnd,
}: {
  file: ShownFile;
  version: FileVersion;
  onEnd: () => void;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const yes = async () => {
    setBusy(true);
    try {
      showUpload(await bringBack(file, version));
      onEnd();
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  const number = version.version;
  return (
    <Confirm
      title={file.isRemoved ? `Bring ${visible(file.name)} back?` : `Bring version ${number} back?`}
      yes="Bring it back"
      no="Leave it"
      isBusy={isBusy}
      problem={problem}
      onYes={() => void yes()}
      onNo={onEnd}
    >
      {file.isRemoved ? (
        <p>
          The board gets a new file of this name. Its version 1 has the bytes of version {number}{" "}
          here. The earlier versions and their approvals stay with the removed file.
        </p>
      ) : (
        <p>
          Version {file.latest.version + 1} will have the bytes of version {number}. Versions{" "}
          {number + 1} to {file.latest.version} stay as they are. Approvals of version {number} do
          not hold for the new one.
        </p>
      )}
    </Confirm>
  );
}

/** A link that saves a version on the reader's computer. */
export const SaveVersion = ({ file, version }: { file: ShownFile; version: FileVersion }) => (
  <a class="b" href={downloadAddress(file, version)} download>
    <Icon name="save" small />
    Save as…
  </a>
);
