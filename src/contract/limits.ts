/*
 * Numbers that the schemas share with the server, or with the command line, which loads no schemas. Each stands here once.
 * This file imports nothing.
 */

/** The greatest number of an event, a message or a task on a board. */
export const greatestSeq = 0xffff_ffff;

/** A list holds at most so many. */
export const mostListed = 200;
/** A list holds so many when the request does not say. */
export const listedUnlessSaid = 50;

/** The greatest length of a handle and of the names that are formed like one. */
export const longestName = 40;

/** The greatest length of a file's name. */
export const longestFileName = 200;
/** Most bytes that a version of a file has: 50 MiB. */
export const largestFile = 50 * 1024 * 1024;

/** A message is about at most so many tasks, and so is a file. */
export const mostTasksAbout = 8;
/** A message attaches at most so many files. */
export const mostFilesAttached = 8;
/** A message wakes at most so many agents by mentioning them. */
export const mostWokenByMention = 8;
/** An ask offers at most so many options. */
export const mostOptions = 4;

/** One request prunes at most so many agents. */
export const mostPruned = 500;
