import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** The files of a drop or a paste, each with a name. What also has a text is a text: a table brings a picture of itself. */
export function filesOf(given: DataTransfer | null): readonly File[] {
  if (!given || given.types.includes("text/plain")) return [];
  return [...given.files].map(named);
}

/** A pasted picture has no name of its own. It gets the moment of the paste. */
function named(file: File): File {
  if (!/^image\.\w+$/.test(file.name)) return file;
  const ending = file.name.slice(file.name.lastIndexOf("."));
  const moment = new Date().toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "");
  return new File([file], `pasted-${moment}${ending}`, { type: file.type });
}

const hasFiles = (event: DragEvent): boolean =>
  !event.defaultPrevented && (event.dataTransfer?.types.includes("Files") ?? false);

/** The form that takes what is dropped on an element: that of its panel, else that of the place. */
const formAt = (target: EventTarget | null): Element | null =>
  (target instanceof Element && target.closest(".panel")?.querySelector("form.compose")) ||
  document.querySelector(".main form.compose");

/** Takes files that are dropped on the place or panel of a form. Gives whether some are held over it. */
export function useDroppedFiles(
  form: RefObject<HTMLFormElement | null>,
  take: (files: readonly File[]) => unknown,
): boolean {
  const [isOver, setOver] = useState(false);
  const taking = useRef(take);
  taking.current = take;
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      const isMine = formAt(event.target) === form.current;
      setOver(isMine);
      // Without this the browser would leave the page for the file.
      if (isMine) event.preventDefault();
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event) || formAt(event.target) !== form.current) return;
      event.preventDefault();
      taking.current([...event.dataTransfer!.files].map(named));
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, []);
  return isOver;
}
