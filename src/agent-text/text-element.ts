import { clean, oneLine } from "./clean.ts";
import { attribute } from "./message-element.ts";
import { withoutElements } from "./own-element.ts";

/** A longer text that is no message, such as a file or a note, inside an element that says what it is and whose. */
export function textElement(what: string, by: string | null, text: string): string {
  const author = by === null ? "" : ` by="@${attribute(by)}"`;
  return `<service-text what="${attribute(what)}"${author}>\n${plainText(text)}\n</service-text>`;
}

/** A text of several lines from somebody else, which cannot begin or end an element. */
export const plainText = (text: string): string => withoutElements(clean(text));

/** A short text from somebody else, such as a title, on one line. It cannot begin or end an element. */
export const plainLine = (text: string): string => withoutElements(oneLine(text));
