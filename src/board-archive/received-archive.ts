import type { Static } from "@sinclair/typebox";
import type { ArchivedPeople, Manifest } from "./archive-format.ts";
import type { VerifiedEvent } from "./verify-event.ts";

/** An archive that is on disk and whose chain, schemas and files were verified. What it names is not checked yet. */
export interface ReceivedArchive {
  readonly manifest: Static<typeof Manifest>;
  readonly people: Static<typeof ArchivedPeople>;
  /** The name that the board has where it comes from, as its log says. */
  readonly name: string;
  /** Its events in their order, each read when it is asked for. */
  events(): Iterable<VerifiedEvent>;
}
