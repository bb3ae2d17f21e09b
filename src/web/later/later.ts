/**
 * What is fetched when it is first needed, all at once. One file of it compresses far better than one for each place, because
 * a bundler would put whatever several of them share into files of their own.
 */
export { KeySheet } from "../parts/frame/key-sheet.tsx";
export { NewBoard } from "../parts/frame/new-board.tsx";
export { Palette } from "../parts/palette/palette.tsx";
export { Account } from "../places/account/account.tsx";
export { FirstRun } from "../places/talk/first-run.tsx";
export { Brief } from "../places/brief/brief.tsx";
export { Files } from "../places/files/files.tsx";
export { Join } from "../places/join.tsx";
export { People } from "../places/people/people.tsx";
export { FilterBar } from "../places/talk/filter-bar.tsx";
export { Filtered } from "../places/talk/found.tsx";
export { TaskFrom } from "../places/talk/task-from.tsx";
export { ThreadPanel } from "../places/talk/thread.tsx";
export { Tasks } from "../places/tasks/tasks.tsx";
