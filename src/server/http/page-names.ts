import { tagTexts } from "../../contract/documents/texts.ts";
import type { Tag } from "../../contract/operation.ts";

/** The tags of the operations. Each has a page. */
export const tags = Object.keys(tagTexts) as Tag[];

/** The lists that the operations refer to. Each has a page; the events have that of their tag. */
export const lists = ["records", "forms", "errors"] as const;

/** The name of a page of the reference below `/docs/`. */
export type PageName = Tag | (typeof lists)[number];

/** Every page below `/docs/`, in the order of the contents. */
export const pageNames: readonly PageName[] = [...tags, ...lists];

/** Where a page of the reference is. */
export const pageAddress = (page: PageName): `/docs/${PageName}` => `/docs/${page}`;
