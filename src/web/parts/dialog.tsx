import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

/** What has the focus at first: a field, else the first button at the foot. */
const firstFocus = ":is(.dlg-b, .pal-in) :is(input, textarea, select), .dlg-f button";

/**
 * What lies over the page and keeps the focus until it is closed: by Escape, or by a press beside it. The focus returns to
 * where it was then.
 */
export function Modal({
  class: look,
  onClose,
  children,
  ...names
}: {
  class: string;
  onClose: () => void;
  children: ComponentChildren;
} & ({ "aria-label": string } | { "aria-labelledby": string })) {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const back = document.activeElement;
    box.current?.showModal();
    box.current?.querySelector<HTMLElement>(firstFocus)?.focus();
    // What lies under an open dialog takes no focus: it gets it back once the dialog is gone, before the next key.
    return () =>
      queueMicrotask(() => {
        if (back instanceof HTMLElement && back.isConnected) back.focus();
      });
  }, []);
  return (
    <dialog
      ref={box}
      class={look}
      {...names}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A browser may close it without asking, when Escape is pressed twice.
      onClose={onClose}
      onClick={(event) => {
        if (event.target === box.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}

/**
 * A dialog over the page. The first field or button in it has the focus. `foot` holds its buttons, the harmless one first.
 * `isText` says that it holds nothing to press, so that its text can be scrolled by keys.
 */
export function Dialog({
  title,
  onClose,
  foot,
  isWide = false,
  isText = false,
  children,
}: {
  title: string;
  onClose: () => void;
  foot?: ComponentChildren;
  isWide?: boolean;
  isText?: boolean;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <Modal class={isWide ? "dlg wide" : "dlg"} aria-labelledby={id} onClose={onClose}>
      <header class="panel-h">
        <h2 id={id}>{title}</h2>
        <div class="end">
          <button class="ib" type="button" aria-label="Close (Escape)" onClick={onClose}>
            <Icon name="x" />
          </button>
        </div>
      </header>
      <div class="dlg-b" {...(isText && { tabIndex: 0 })}>
        {children}
      </div>
      {foot && <div class="dlg-f">{foot}</div>}
    </Modal>
  );
}

/** Asks before something that cannot be taken back. `children` say what ends and what stays. */
export function Confirm({
  title,
  yes,
  no,
  isBad = false,
  isBusy = false,
  problem,
  onYes,
  onNo,
  children,
}: {
  title: string;
  yes: string;
  no: string;
  isBad?: boolean;
  isBusy?: boolean;
  problem?: string | null;
  onYes: () => void;
  onNo: () => void;
  children: ComponentChildren;
}) {
  return (
    <Dialog
      title={title}
      onClose={onNo}
      foot={
        <>
          <button class="b" type="button" onClick={onNo}>
            {no}
          </button>
          <button class={isBad ? "b bad" : "b p"} type="button" disabled={isBusy} onClick={onYes}>
            {yes}
          </button>
        </>
      }
    >
      {children}
      {problem && (
        <p class="err" role="alert">
          <Icon name="warn" small />
          <span>{problem}</span>
        </p>
      )}
    </Dialog>
  );
}
