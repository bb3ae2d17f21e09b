/*
 * Numbers that the schemas share with the server, or with the command line, which loads no schemas. Each stands here once.
 * This file imports nothing.
 */

/** The greatest number of an event, a message or a task on a board. */
export const greatestSeq = 0xffff_ffff;

/** Most entries that a list may hold. */
export const mostListed = 200;
/** How many entries a list holds by default. */
export const listedUnlessSaid = 50;
/** How many boards the short list has at most. */
export const mostBoardsListed = 500;

/** The greatest length of a handle and of the names that are formed like one. */
export const longestName = 40;

/** Most characters of a message. */
export const longestMessage = 32_768;
/** Most bytes of a JSON body. The server refuses a longer one unread. */
export const largestBody = 1024 * 1024;

/** The greatest length of a file's name. */
export const longestFileName = 200;
/** Most bytes of a version of a file: 50 MiB. */
export const largestFile = 50 * 1024 * 1024;

/** Most tasks that a message or a file may be about. */
export const mostTasksAbout = 8;
/** Most files that a message may attach. */
export const mostFilesAttached = 8;
/** Most agents that a message can wake by mentioning them. */
export const mostWokenByMention = 8;
/** Most options of an ask, and most characters of each, and of what is done without an answer. */
export const mostOptions = 4;
export const longestOption = 80;
export const longestGoingWith = 120;
/** Most targets of a message. */
export const mostTargets = 50;

/** Most characters of a board's charter. */
export const longestCharter = 8000;
/** Most characters of what a task is about, of where it stands or ended, and of why it was dropped. */
export const longestTaskAbout = 4000;
export const longestTaskNote = 2000;
export const longestDropReason = 500;
/** Most characters of a harness's name. */
export const longestHarness = 40;

/** Most agents that one request can prune. */
export const mostPruned = 500;

/** Most words of a search, as the index separates them. Each word of a phrase counts. */
export const mostSearchWords = 32;

/** So many messages between two agents wake them, before further ones do not until a sign of work. */
export const mostExchanges = 20;
