/** How many parts of the page are on their way that will take the focus. */
let awaited = 0;
let typed = "";

const isField = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  (element instanceof HTMLInputElement && /^(text|search)$/.test(element.type)) ||
  element instanceof HTMLTextAreaElement;

/**
 * Keeps what is typed from now on, since a part of the page is on its way that the person writes into. It goes into the first
 * field that gets the focus, before the next key does. Gives the function that ends that: what no field has taken by then is
 * dropped, and does nothing.
 */
export function typeAhead(): () => void {
  awaited++;
  if (awaited === 1) document.addEventListener("focusin", pour);
  return () => {
    awaited--;
    if (awaited > 0) return;
    document.removeEventListener("focusin", pour);
    pour();
    typed = "";
  };
}

/** Puts what was typed into the field that has the focus. */
function pour(): void {
  const field = document.activeElement;
  if (typed === "" || !isField(field)) return;
  const text = typed;
  typed = "";
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** Takes a key that was pressed while a part is on its way. Gives whether it was taken, and so means nothing else. */
export function takeAhead({ key, altKey, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (awaited === 0 || altKey || ctrlKey || metaKey) return false;
  if (target instanceof Element && isField(target)) return false;
  if (key === "Backspace") typed = typed.slice(0, -1);
  else if (key.length === 1) typed += key;
  else return false;
  return true;
}
