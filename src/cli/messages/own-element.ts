/** Somebody's text as it may stand in or beside this program's own elements: it cannot end one or begin another. */
export const withoutElements = (text: string): string =>
  text.replace(/<(?=\s*\/?\s*service-(?:message|notice|digest))/gi, "&lt;");
