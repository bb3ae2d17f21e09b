let isPressed = false;

document.addEventListener("pointerdown", () => (isPressed = true), { capture: true });
for (const end of ["pointerup", "pointercancel"] as const)
  document.addEventListener(end, () => (isPressed = false), { capture: true });

/** Does something once no pointer is pressed, so that a click meets what its press has met. */
export function afterPress(act: () => void): void {
  if (!isPressed) return act();
  const end = () => {
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    // The click comes before the next task.
    setTimeout(act);
  };
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}
