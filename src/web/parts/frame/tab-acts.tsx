import { createPortal, type ComponentChildren } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** Where the acts of the part that is shown stand, at the end of the tabs of its board. */
const place = "tab-acts";

/** The end of the tabs. It is empty until a part has acts. */
export const TabActsPlace = () => <div class="end inl" id={place} />;

/** Shows acts of a part of a board at the end of the tabs. */
export function TabActs({ children }: { children: ComponentChildren }) {
  const [there, setThere] = useState<Element | null>(null);
  useLayoutEffect(() => setThere(document.getElementById(place)), []);
  return there && createPortal(children, there);
}
