import journal from "./0001_journal.sql" with { type: "text" };
import pushed from "./0002_pushed.sql" with { type: "text" };
import queueReports from "./0003_queue_reports.sql" with { type: "text" };
import shown from "./0004_shown.sql" with { type: "text" };
import askedHarness from "./0005_asked_harness.sql" with { type: "text" };
import deliveryModes from "./0006_delivery_modes.sql" with { type: "text" };
import serverGeneration from "./0007_server_generation.sql" with { type: "text" };
import queueGeneration from "./0008_queue_generation.sql" with { type: "text" };

/** The schema of the daemon's journal, in the order in which its steps run. One that has shipped never changes. */
export const journalMigrations: readonly { name: string; sql: string }[] = [
  { name: "0001_journal", sql: journal },
  { name: "0002_pushed", sql: pushed },
  { name: "0003_queue_reports", sql: queueReports },
  { name: "0004_shown", sql: shown },
  { name: "0005_asked_harness", sql: askedHarness },
  { name: "0006_delivery_modes", sql: deliveryModes },
  { name: "0007_server_generation", sql: serverGeneration },
  { name: "0008_queue_generation", sql: queueGeneration },
];
