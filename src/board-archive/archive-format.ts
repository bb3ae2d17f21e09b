import {
  Hash,
  BoardId,
  BoardName,
  Handle,
  PersonId,
  Seq,
  ServerGeneration,
  ServerId,
  Timestamp,
} from "../contract/scalars.ts";
import { closed, t, text } from "../contract/schema.ts";

/** What the first part of an archive says of itself. */
export const archiveFormat = "service-board-archive";
/** The newest version of the format that this program reads. */
export const archiveVersion = 1;

/** The address of a server as an archive may have it: a host that a person can read, and no path. */
export const Origin = text({
  maxLength: 200,
  pattern:
    "^https?://(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\\[[0-9a-f:]+\\])(?::[1-9][0-9]{0,4})?$",
  description: "the address of a server, such as `https://board.example.org`",
});

/** The first part of an archive: which board it is, where it comes from, and where its log ends. */
export const Manifest = closed({
  format: t.Literal(archiveFormat),
  version: t.Literal(archiveVersion),
  exported_at: Timestamp,
  server: closed({ id: ServerId, generation: ServerGeneration, address: Origin }),
  board: closed({ id: BoardId, name: BoardName }),
  head: closed({ seq: Seq, hash: Hash }),
  // Only in the archive of a part: the event after which its log begins.
  since: t.Optional(closed({ seq: Seq, hash: Hash })),
});

/** The second part of an archive: every person whom the log names. Those of a further server have its address. */
export const ArchivedPeople = t.Array(
  closed({ id: PersonId, handle: Handle, origin: t.Optional(Origin) }),
);
