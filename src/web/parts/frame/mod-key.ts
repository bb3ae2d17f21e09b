/** The key of the palette's shortcut as this machine's keyboard has it, before the letter. */
export const modKey = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? "⌘" : "Ctrl ";
