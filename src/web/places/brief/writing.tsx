import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { api } from "../../core/connection/api.ts";
import { isQuicker, writeBrief, type BriefBase } from "../../core/files/brief.ts";
import { changeDraft, draftAt, emptyDraftAt } from "../../core/sending/drafts.ts";
import { textOf } from "../../core/files/file-bytes.ts";
import { fileAddress } from "../../core/files/file-view.ts";
import type { ShownFile } from "../../core/files/files.ts";
import { sentenceOf } from "../../core/connection/problems.ts";
import { toast } from "../../core/screen/toasts.ts";
import { Icon } from "../../parts/icon.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { Written } from "../../parts/text/text.tsx";
import { visible } from "../../parts/who.tsx";

/** Where the draft of a board's brief is kept. */
export const draftPlace = (board: string): string => `brief:${board}`;

/** Somebody who wrote a version meanwhile. */
interface Quicker {
  readonly by: string;
  readonly base: BriefBase;
}

/** Writing the next version of the brief. What is written stays as a draft until it is saved or thrown away. */
export function Writing({
  board,
  file,
  onClose,
}: {
  board: string;
  file: ShownFile | null;
  onClose: () => void;
}) {
  const place = draftPlace(board);
  const draft = draftAt(place).value;
  const newest = file && { id: file.id, name: file.name, version: file.latest.version };
  // It replaces the version that was there when it was begun, and no later one unseen.
  const [begun] = useState(newest);
  const base = begun && { ...begun, version: draft.base ?? begun.version };
  const [isRead, setRead] = useState(draft.text !== "" || !file);
  const [isPreview, setPreview] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [quicker, setQuicker] = useState<Quicker | null>(null);
  const [isBusy, setBusy] = useState(false);
  const sent = useRef({ words: "", key: "" });
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (isRead) return field.current?.focus();
    const fail = (error: unknown) => setProblem(sentenceOf(error));
    textOf(file!, file!.latest).then((text) => {
      changeDraft(place, { text: text ?? "", base: file!.latest.version });
      setRead(true);
    }, fail);
    return;
  }, [isRead]);
  const save = async (on: BriefBase | null) => {
    if (isBusy || draft.text.trim() === "") return;
    const words = JSON.stringify([draft.text, on]);
    if (sent.current.words !== words) sent.current = { words, key: crypto.randomUUID() };
    setBusy(true);
    setProblem(null);
    try {
      await writeBrief(board, draft.text, on, sent.current.key);
      emptyDraftAt(place);
      toast({ text: `Version ${(on?.version ?? 0) + 1} of the brief is there` });
      onClose();
    } catch (error) {
      setBusy(false);
      if (isQuicker(error)) setQuicker(await whoWas(board));
      else setProblem(sentenceOf(error));
    }
  };
  const throwAway = () => {
    emptyDraftAt(place);
    onClose();
  };
  const isHtml = base?.name === "brief.html";
  const number = (quicker?.base ?? base)?.version ?? 0;
  return (
    <form
      class="brief-w"
      onSubmit={(event) => {
        event.preventDefault();
        void save(quicker?.base ?? base);
      }}
    >
      <div class="file-bar">
        <h2>{base ? `Version ${number + 1} of the brief` : "The first version of the brief"}</h2>
        <div class="end inl">
          {!isHtml && (
            <button
              class="b q"
              type="button"
              aria-pressed={isPreview}
              onClick={() => setPreview(!isPreview)}
            >
              Preview
            </button>
          )}
          <button class="b q" type="button" onClick={throwAway}>
            Throw away
          </button>
          <button class="b" type="button" onClick={onClose}>
            Later
          </button>
          <button class="b p" type="submit" disabled={isBusy || draft.text.trim() === ""}>
            Save
          </button>
        </div>
      </div>
      {quicker && (
        <div class="strip" role="alert">
          <Icon name="warn" />
          <span>
            <b>
              {visible(quicker.by)} was quicker with version {quicker.base.version}.
            </b>{" "}
            Bring what they changed into yours, and save again to put it in the place of theirs.
          </span>
          <span class="end">
            <a
              class="b"
              target="_blank"
              rel="noopener"
              href={fileAddress(board, quicker.base.name, {
                view: "changes",
                from: base?.version ?? 0,
                version: quicker.base.version,
              })}
            >
              See what changed
            </a>
          </span>
        </div>
      )}
      {problem && (
        <div class="strip" role="alert">
          <Icon name="warn" />
          <span>{problem}</span>
        </div>
      )}
      {!isRead ? (
        <Bones what="the brief" />
      ) : isPreview ? (
        <div class="page" tabIndex={0} role="region" aria-label="Preview">
          <Written text={draft.text} of={{ board, mentions: [] }} isDocument />
        </div>
      ) : (
        <textarea
          ref={field}
          aria-label="The brief"
          spellcheck
          value={draft.text}
          onInput={({ currentTarget }) =>
            changeDraft(place, { text: currentTarget.value, ...(base && { base: base.version }) })
          }
        />
      )}
    </form>
  );
}

/** The version that is there now, and who wrote it. */
async function whoWas(board: string): Promise<Quicker | null> {
  const { brief } = await api.call("getBoard", { params: { board } });
  if (!brief) return null;
  const { file_id: id, name, version, by } = brief;
  return { by: by.name, base: { id, name, version } };
}
