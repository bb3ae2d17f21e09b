import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { typeAhead } from "../../core/screen/typed-ahead.ts";
import { Failed } from "../problem.tsx";

/** The shape of what comes, shown when it takes longer than a moment. */
export const Bones = ({ what }: { what: string }) => (
  <div class="bones" aria-busy="true">
    <p class="vh">Loading {what}</p>
    {[...Array(9).keys()].map((row) => (
      <i key={row} />
    ))}
  </div>
);

/**
 * A component that is fetched from the server when it is first shown. `what` names it while it comes; `meanwhile` says what
 * is shown then, since a dialog has no place on the page yet. What is typed while such a part comes goes into its field.
 */
export function lazily<P extends object>(
  what: string,
  load: () => Promise<ComponentType<P>>,
  meanwhile: "bones" | "nothing" = "bones",
): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function Lazily(props: P) {
    const [shown, setShown] = useState<{ readonly it: ComponentType<P> } | null>(
      loaded && { it: loaded },
    );
    const [problem, setProblem] = useState<unknown>(null);
    const ahead = useRef<(() => void) | null>(null);
    const endAhead = () => {
      ahead.current?.();
      ahead.current = null;
    };
    const fetchIt = () => {
      setProblem(null);
      if (meanwhile === "nothing") ahead.current ??= typeAhead();
      load().then(
        (it) => {
          loaded = it;
          setShown({ it });
        },
        (error: unknown) => {
          endAhead();
          setProblem(error);
        },
      );
    };
    // At once, since the next key may follow before the page is drawn.
    useLayoutEffect(() => {
      if (!shown) fetchIt();
      return endAhead;
    }, []);
    // Its effects have given it the focus with the next frame.
    useEffect(() => {
      if (shown && ahead.current) requestAnimationFrame(endAhead);
    }, [shown]);
    if (shown) return <shown.it {...props} />;
    if (problem !== null)
      return <Failed what={`The ${what} could not be loaded.`} error={problem} again={fetchIt} />;
    return meanwhile === "bones" ? <Bones what={what} /> : null;
  };
}
