import {
  boardNameForm,
  boardSelectorForm,
  fileNameForm,
  handleForm,
  idForm,
  memberNameForm,
  roleNameForm,
  taskReferenceForm,
  taskSelectorForm,
} from "./forms.ts";
import {
  greatestSeq,
  listedUnlessSaid,
  longestCharter,
  longestFileName,
  longestHarness,
  longestName,
  mostListed,
} from "./limits.ts";
import { nullable, oneOf, t, text } from "./schema.ts";

/** A permanent id: a prefix that names the kind of thing, then a ULID. */
const id = (prefix: string) =>
  text({
    pattern: idForm(prefix),
    description: `an id: \`${prefix}_\` and 26 digits and capitals`,
  });

export const ServerId = id("srv");
export const ServerGeneration = id("gen");
export const BoardId = id("brd");
export const PersonId = id("hum");
export const MemberId = id("mem");
export const MessageId = id("msg");
export const EventId = id("evt");
export const KeyId = id("key");
export const SessionId = id("ses");
export const InviteId = id("inv");
export const JoinCodeId = id("jc");
export const DelegationId = id("dlg");
export const TaskId = id("tsk");
export const FileId = id("fil");
export const AllowanceId = id("alw");
export const PairingId = id("prq");
export const PairingCredentialId = id("pcr");

/*
 * A `description` says the rule of a text in words: a refusal has it after `must be`, and the documents show it in place of
 * the regular expression.
 */

export const BoardName = text({
  pattern: boardNameForm,
  description:
    "a board's name: 2 to 40 lowercase letters, digits and dashes, no dash first or last, such as `docs-2`",
});
export const Handle = text({
  maxLength: longestName,
  pattern: handleForm,
  description:
    "a handle: lowercase letters and digits, single dashes between them, at most 40 characters, such as `ada-l`",
});
/** The name of a key, a machine or a delegation, in the form of a handle. */
export const KeyName = text({
  minLength: 1,
  maxLength: longestName,
  pattern: handleForm,
  description:
    "lowercase letters and digits, single dashes between them, at most 40 characters, such as `laptop-2`",
});
export const MemberName = text({
  pattern: memberNameForm,
  description: "a name: 1 to 40 lowercase letters, digits and dashes, no dash first, such as `ada`",
});
export const BackupName = text({
  pattern: "^[a-z0-9][a-z0-9-]{0,39}$",
  description:
    "a backup's name: 1 to 40 lowercase letters, digits and dashes, no dash first, such as `before-upgrade`",
});
export const RoleName = text({
  pattern: roleNameForm,
  description:
    "a role's name: a lowercase letter, then up to 31 lowercase letters, digits and dashes, such as `reviewer`",
});
export const Harness = text({ maxLength: longestHarness });
export const HarnessSession = text({
  pattern: "^[a-z0-9][a-z0-9-]{0,39}:[A-Za-z0-9._-]{1,200}$",
  description: "a harness and its session's id, such as `claude-code:3f2a`",
});
export const BoardTitle = text({ maxLength: 80 });
export const DisplayName = text({ maxLength: 80 });
export const Charter = text({ maxLength: longestCharter });
export const TaskPrefix = text({
  pattern: "^[A-Z][A-Z0-9]{1,5}$",
  description: "a capital letter, then one to five capitals or digits, such as `DOC`",
});
export const TaskReference = text({
  pattern: taskReferenceForm,
  description: "a task prefix, a dash and a number, such as `DOC-7`",
});
export const TaskSelector = text({
  description: "a task's reference, number or id, such as `DOC-7`",
  pattern: taskSelectorForm,
});
export const FileName = text({
  maxLength: longestFileName,
  pattern: fileNameForm,
  description:
    "a file's name: parts of letters, digits, dots, underscores and dashes, each with a letter or digit first, slashes between them, at most 200 characters, such as `notes/plan.md`",
});
export const ShortCode = text({
  pattern: "^[0-9A-HJKMNP-TV-Z]{3}-[0-9A-HJKMNP-TV-Z]{3}$",
  description: "a code of two times three digits and capitals, such as `7QK-M2X`",
});

/** A position in a board's log. Messages use the same numbering. */
export const Seq = t.Integer({ minimum: 0, maximum: greatestSeq });
export const Count = t.Integer({ minimum: 0 });
/** UTC, RFC 3339, with exactly three fraction digits, so that times compare as texts. */
export const Timestamp = text({
  format: "date-time",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$",
});
export const Hash = text({
  pattern: "^sha256:[0-9a-f]{64}$",
  description: "`sha256:` and 64 hexadecimal digits",
});

/** Only its length is checked here. The rule checks its form, so that a malformed one is `invalid_target`. */
export const Target = text({ minLength: 1, maxLength: 60 });

export const ServerRole = oneOf("admin", "member", "guest");
export const BoardVisibility = oneOf("open", "private");
export const Lifecycle = oneOf("active", "archived", "deleted");
export const MemberKind = oneOf("agent", "human");
export const Presence = oneOf("working", "idle", "waiting", "no_session");
/** What a person may set for their agent. */
export const DeliveryMode = oneOf("focused", "all", "humans", "off");
/** What a daemon may report. `auto` is an older name of `all`. */
export const ReportedDelivery = oneOf("focused", "all", "humans", "off", "auto");
export const RemovedBy = oneOf("person", "board_owner", "admin", "self");

export const limit = t.Optional(
  t.Integer({ minimum: 1, maximum: mostListed, default: listedUnlessSaid }),
);
export const after = t.Optional(Seq);
export const before = t.Optional(t.Integer({ minimum: 1, maximum: greatestSeq }));
export const newest = t.Optional(t.Boolean({ default: false }));
/** Where a page of a list along the log that can be read in both directions may go on. */
export const pageEnds = {
  next_after: t.Union([Seq, t.Null()]),
  prev_before: t.Union([t.Integer({ minimum: 1 }), t.Null()]),
};
/** Seconds to wait for something to answer with, if there is nothing yet. */
export const wait = t.Optional(t.Integer({ minimum: 0, maximum: 600, default: 0 }));

/** The board in a lifecycle path: its name or its permanent id. */
export const BoardSelector = text({
  pattern: boardSelectorForm,
  description: "a board's name or id, such as `docs-2` or `brd_…`",
});
export const BoardParams = t.Object({ board: BoardName });

/** A member, as records name the one who did something. */
export const MemberRef = t.Object({
  name: MemberName,
  kind: MemberKind,
  role: nullable(RoleName),
  owner: nullable(t.String()),
  harness: t.Optional(nullable(t.String())),
  origin: t.Optional(t.String()),
});

/** Who caused an event, as it was when the event was recorded. */
export const Actor = t.Object({
  kind: oneOf("agent", "human", "system"),
  member_id: nullable(t.String()),
  name: nullable(t.String()),
  owner: nullable(t.String()),
});
/** The challenge of a client that wants a local server's proof. It is random, so no earlier answer fits it. */
export const Challenge = text({
  pattern: "^[A-Za-z0-9_-]{22,128}$",
  description: "a challenge: 22 to 128 letters, digits, `-` and `_`, made at random",
});
