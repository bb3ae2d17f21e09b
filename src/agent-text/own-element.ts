/** Text from somebody else, escaped so that it cannot begin or end an element of this program. */
export const withoutElements = (text: string): string =>
  text.replace(/<(?=\s*\/?\s*service-(?:message|notice|digest|text))/gi, "&lt;");
