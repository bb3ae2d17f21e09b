/*
 * The forms of names and ids, as regular expressions of a whole text. The schemas are made of them; the command line reads
 * them from here, since it loads no schemas. This file imports nothing.
 */

/** A form without its anchors, as a part of another form. */
export const insideOf = (form: string): string => form.slice(1, -1);

const ulid = "[0-9A-HJKMNP-TV-Z]{26}";
/** A permanent id: a prefix that names the kind of thing, then a ULID. */
export const idForm = (prefix: string): string => `^${prefix}_${ulid}$`;

/** The name of a board. */
export const boardNameForm = "^[a-z0-9][a-z0-9-]{0,38}[a-z0-9]$";
/** The board in a lifecycle path: its name or its permanent id. */
export const boardSelectorForm = `^(${insideOf(boardNameForm)}|brd_${ulid})$`;

/** A handle. Its length, at most `longestName` characters, is not in the form. */
export const handleForm = "^[a-z0-9]+(-[a-z0-9]+)*$";

/** The name of a member of a board. */
export const memberNameForm = "^[a-z0-9][a-z0-9-]{0,39}$";
/** The name of a role of a board. */
export const roleNameForm = "^[a-z][a-z0-9-]{0,31}$";

const number = "[1-9][0-9]*";
/** A task's reference, number or id. */
export const taskSelectorForm = `^([A-Za-z][A-Za-z0-9]{1,5}-${number}|${number}|tsk_${ulid})$`;
/** A task's reference, as it is shown. */
export const taskReferenceForm = `^[A-Z][A-Z0-9]{1,5}-${number}$`;

const part = "[A-Za-z0-9][A-Za-z0-9._-]*";
/** A file's name. Its length, at most `longestFileName` characters, is not in the form. */
export const fileNameForm = `^${part}(/${part})*$`;
