import { useEffect, useState } from "preact/hooks";
import { colours, type Coloured } from "../../core/files/code.ts";

/** The pieces of code in their looks. Null until the highlighter is there, and where it has nothing to say. */
export function useColours(text: string, language: string): readonly Coloured[] | null {
  const [found, setFound] = useState<{
    readonly text: string;
    readonly pieces: readonly Coloured[] | null;
  } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void colours(text, language).then((pieces) => {
      if (isCurrent) setFound({ text, pieces });
    });
    return () => {
      isCurrent = false;
    };
  }, [text, language]);
  return found?.text === text ? found.pieces : null;
}

/** A piece of code in its look. */
export const ColouredPiece = ({ piece: [text, look] }: { piece: Coloured }) =>
  look === "" ? <>{text}</> : <span class={look}>{text}</span>;
