import { toast } from "./toasts.ts";

/**
 * Copies a text, and says so by what it is, such as `the link of #12`. Where the browser does not let the page copy, the text
 * itself is shown, to be copied by hand. Gives whether it was copied.
 */
export async function copy(text: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ text: `Copied ${what}` });
    return true;
  } catch {
    toast({ text: `The browser does not let the page copy: ${text}`, isError: true });
    return false;
  }
}

/** Copies the whole address of a path of the page. */
export const copyLinkTo = (path: string, what: string): Promise<boolean> =>
  copy(location.origin + path, what);
