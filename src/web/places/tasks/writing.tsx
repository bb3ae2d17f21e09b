import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { changeDraft, draftAt, emptyDraftAt } from "../../core/sending/drafts.ts";
import { sentenceOf } from "../../core/connection/problems.ts";
import { Icon } from "../../parts/icon.tsx";

/** Why something was not stored, below the field that it is about. */
export const Problem = ({ says }: { says: string | null }) =>
  says === null ? null : (
    <p class="err" role="alert">
      <Icon name="warn" small />
      <span>{says}</span>
    </p>
  );

/** Sends the form of a field with Command or Control and Enter, since Enter makes a new line there. */
export function sendOnModEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || event.isComposing) return;
  event.preventDefault();
  (event.currentTarget as HTMLTextAreaElement).form?.requestSubmit();
}

/** What a form of one field needs: its text, how it is stored, and how it closes. */
interface FieldProps {
  readonly label: string;
  readonly initial: string;
  readonly longest: number;
  /** Whether an empty text can be stored. */
  readonly mayBeEmpty?: boolean;
  /** The draft that keeps what is written until it is stored or given up, wherever the reader goes meanwhile. */
  readonly draft?: string;
  /** Stores the text. What it throws is shown, and the text stays. */
  save(text: string): Promise<void>;
  onClose(): void;
}

/** The state of such a form. */
function useWriting({ initial, mayBeEmpty = false, draft, save, onClose: close }: FieldProps) {
  const [text, setText] = useState((draft && draftAt(draft).peek().text) || initial);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const onClose = () => {
    if (draft) emptyDraftAt(draft);
    close();
  };
  const write = (now: string) => {
    setText(now);
    if (draft) changeDraft(draft, { text: now === initial ? "" : now });
  };
  const send = async () => {
    if (isBusy || (!mayBeEmpty && text.trim() === "")) return;
    if (text === initial) return onClose();
    setBusy(true);
    try {
      await save(text);
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return {
    text,
    problem,
    isBusy,
    onClose,
    field: {
      class: "f",
      value: text,
      onInput: (event: Event) =>
        write((event.currentTarget as HTMLInputElement | HTMLTextAreaElement).value),
    },
    form: {
      class: "stack wr",
      onSubmit(event: Event) {
        event.preventDefault();
        void send();
      },
      onKeyDown(event: KeyboardEvent) {
        if (event.key !== "Escape") return;
        // The panel stays open, and so does the field if something was written in it.
        event.preventDefault();
        event.stopPropagation();
        if (text === initial) onClose();
      },
    },
  };
}

/** A line that is changed where it stands. */
export function OneLine(props: FieldProps) {
  const { form, field, problem, isBusy, onClose } = useWriting(props);
  const box = useFocus<HTMLInputElement>();
  return (
    <form {...form}>
      <input {...field} ref={box} aria-label={props.label} maxLength={props.longest} required />
      <Problem says={problem} />
      <Buttons isBusy={isBusy} onClose={onClose} />
    </form>
  );
}

/** A text of several lines that is changed where it stands. */
export function SeveralLines(props: FieldProps) {
  const { form, field, problem, isBusy, onClose } = useWriting(props);
  const box = useFocus<HTMLTextAreaElement>();
  return (
    <form {...form}>
      <textarea
        {...field}
        ref={box}
        rows={5}
        aria-label={props.label}
        maxLength={props.longest}
        onKeyDown={sendOnModEnter}
      />
      <Problem says={problem} />
      <Buttons isBusy={isBusy} onClose={onClose} />
    </form>
  );
}

/** Gives a field the focus when it appears, with the caret at the end of its text. */
export function useFocus<T extends HTMLInputElement | HTMLTextAreaElement>() {
  const box = useRef<T>(null);
  const focus = () => {
    const { current } = box;
    if (!current || document.activeElement === current) return;
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
  };
  useLayoutEffect(focus, []);
  // A dialog that has just opened gives the focus to its first button.
  useEffect(focus, []);
  return box;
}

const Buttons = ({ isBusy, onClose }: { isBusy: boolean; onClose: () => void }) => (
  <p class="inl">
    <button class="b p" type="submit" disabled={isBusy}>
      Save
    </button>
    <button class="b" type="button" onClick={onClose}>
      Cancel
    </button>
  </p>
);
