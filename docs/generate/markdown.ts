import type { Field, Shape } from "../../src/contract/documents/readable-schema.ts";

/** The first lines of a generated document. */
export const heading = (title: string, text: string): string =>
  `# ${title}\n\n<!-- Made by \`bun docs/generate.ts\`. Change the tables in src, not this file. -->\n\n${text}`;

/** A text of the contract as Markdown: [[Name]] becomes a link to the record of that name, which `file` holds. */
export const linked = (text: string, file = ""): string =>
  text.replace(/\[\[(\w+)\]\]/g, (_, name: string) => `[${name}](${file}#${name.toLowerCase()})`);

/** Fields as a list. A field that is an object has its own fields below it. */
export function fieldList(fields: readonly Field[], file = "", indent = ""): string {
  return fields
    .map(({ name, required, type, text, fields: inner }) => {
      const meaning = text === undefined ? "" : `. ${text}`;
      const line = `${indent}- \`${name}\`${required ? "" : " (optional)"}: ${linked(type, file)}${meaning}`;
      return inner.length ? `${line}\n${fieldList(inner, file, `${indent}  `)}` : line;
    })
    .join("\n");
}

/** A schema: its fields, one list for each form it may take; its type alone where it has none. */
export function shapeText({ type, forms }: Shape): string {
  const [only, ...others] = forms;
  if (!only) return linked(type);
  if (others.length > 0)
    return forms
      .map((form, index) => `${index ? "or" : "Either"}\n\n${fieldList(form)}`)
      .join("\n\n");
  return type === "object" ? fieldList(only) : `${linked(type)}:\n\n${fieldList(only)}`;
}

/** Paragraphs, leaving out what is not there. */
export const paragraphs = (...parts: readonly (string | undefined | false)[]): string =>
  parts.filter(Boolean).join("\n\n");
