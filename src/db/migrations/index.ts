import core from "./0001_core.sql" with { type: "text" };
import lifecycle from "./0002_lifecycle.sql" with { type: "text" };
import messagesToAll from "./0003_messages_to_all.sql" with { type: "text" };
import roleTargets from "./0004_role_targets.sql" with { type: "text" };
import access from "./0005_access.sql" with { type: "text" };
import tasks from "./0006_tasks.sql" with { type: "text" };
import lines from "./0007_lines.sql" with { type: "text" };
import search from "./0008_search.sql" with { type: "text" };
import about from "./0009_about.sql" with { type: "text" };
import lineTasks from "./0010_line_tasks.sql" with { type: "text" };
import files from "./0011_files.sql" with { type: "text" };
import asks from "./0012_asks.sql" with { type: "text" };
import bookkeeping from "./0013_bookkeeping.sql" with { type: "text" };
import pairing from "./0014_pairing.sql" with { type: "text" };
import searchThings from "./0015_search_things.sql" with { type: "text" };
import taskCounts from "./0016_task_counts.sql" with { type: "text" };
import searchMerges from "./0017_search_merges.sql" with { type: "text" };
import joinCodeUses from "./0018_join_code_uses.sql" with { type: "text" };
import quiet from "./0019_quiet.sql" with { type: "text" };
import boardLists from "./0020_board_lists.sql" with { type: "text" };
import generation from "./0021_generation.sql" with { type: "text" };
import attention from "./0022_attention.sql" with { type: "text" };
import standIns from "./0023_stand_ins.sql" with { type: "text" };
import restores from "./0024_restores.sql" with { type: "text" };
import movedBoards from "./0025_moved_boards.sql" with { type: "text" };

/** In the order in which they run. Add at the end; one that has shipped never changes. */
export const migrations: readonly { name: string; sql: string }[] = [
  { name: "0001_core", sql: core },
  { name: "0002_lifecycle", sql: lifecycle },
  { name: "0003_messages_to_all", sql: messagesToAll },
  { name: "0004_role_targets", sql: roleTargets },
  { name: "0005_access", sql: access },
  { name: "0006_tasks", sql: tasks },
  { name: "0007_lines", sql: lines },
  { name: "0008_search", sql: search },
  { name: "0009_about", sql: about },
  { name: "0010_line_tasks", sql: lineTasks },
  { name: "0011_files", sql: files },
  { name: "0012_asks", sql: asks },
  { name: "0013_bookkeeping", sql: bookkeeping },
  { name: "0014_pairing", sql: pairing },
  { name: "0015_search_things", sql: searchThings },
  { name: "0016_task_counts", sql: taskCounts },
  { name: "0017_search_merges", sql: searchMerges },
  { name: "0018_join_code_uses", sql: joinCodeUses },
  { name: "0019_quiet", sql: quiet },
  { name: "0020_board_lists", sql: boardLists },
  { name: "0021_generation", sql: generation },
  { name: "0022_attention", sql: attention },
  { name: "0023_stand_ins", sql: standIns },
  { name: "0024_restores", sql: restores },
  { name: "0025_moved_boards", sql: movedBoards },
];
