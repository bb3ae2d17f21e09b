import { Kind, type TSchema } from "@sinclair/typebox";
import { AgentLine, AgentState } from "../agent-line.ts";
import { AgentLocation } from "../agent-location.ts";
import { AgentWork } from "../agent-work.ts";
import { Allowance, AllowanceCategory } from "../allowance.ts";
import {
  AnswerRequest,
  AskRequest,
  AskState,
  MessageAnswer,
  MessageAsk,
  RecordedAnswer,
  RecordedAsk,
} from "../ask.ts";
import {
  AttentionAction,
  AttentionCounts,
  AttentionItem,
  AttentionKind,
  AttentionRef,
} from "../attention.ts";
import { Backup } from "../backups.ts";
import {
  Board,
  BoardPerson,
  HiddenBoard,
  ListedBoard,
  Policy,
  PolicyChange,
  Role,
  Roles,
} from "../boards.ts";
import { MidturnPolicy, MidturnPolicyView } from "../delivery-midturn.ts";
import { DeliveryQueueView, QueuedReceipt } from "../delivery-queue.ts";
import {
  BoardFile,
  BriefName,
  BriefSummary,
  FileApproval,
  FileDetail,
  FileRef,
  FileVersion,
  FileVersionSelector,
  Freshness,
} from "../file-record.ts";
import { MediaType } from "../files.ts";
import { operationNamed, operationNames } from "../index.ts";
import { HandedOutCode, JoinCode, JoinResult, Member, RemovedAgent } from "../joining.ts";
import { EventEnvelope, eventTypes } from "../log.ts";
import { Mention, Message, ReactionName, Redaction } from "../message.ts";
import { Figure, RequestFigure } from "../numbers.ts";
import { NextStep } from "../next-step.ts";
import { PairingCredential, PairingSide } from "../pairing/pairing-credentials.ts";
import { OnboardingDisplay, PairingEndpoint, PairingRequest } from "../pairing/pairing-requests.ts";
import { AccessKey, Me, NewAccessKey, Person } from "../people.ts";
import {
  Actor,
  AllowanceId,
  BackupName,
  BoardId,
  BoardName,
  BoardSelector,
  BoardVisibility,
  Challenge,
  DelegationId,
  DeliveryMode,
  EventId,
  FileId,
  FileName,
  Handle,
  HarnessSession,
  Hash,
  InviteId,
  JoinCodeId,
  KeyId,
  KeyName,
  Lifecycle,
  MemberId,
  MemberKind,
  MemberName,
  MemberRef,
  MessageId,
  PairingCredentialId,
  PairingId,
  PersonId,
  Presence,
  RemovedBy,
  ReportedDelivery,
  RoleName,
  ServerGeneration,
  ServerId,
  ServerRole,
  SessionId,
  ShortCode,
  TaskId,
  TaskPrefix,
  TaskReference,
  TaskSelector,
  Timestamp,
} from "../scalars.ts";
import { Excerpt, FileHit, MessageHit, TaskHit } from "../search.ts";
import { PersonRemoval } from "../server-people.ts";
import { ServerInfo, ServerSettings } from "../server.ts";
import { BrowserSession } from "../signing-in/browser-sign-in.ts";
import { MachineRequest } from "../signing-in/machines.ts";
import {
  ClientConnected,
  Connected,
  OnboardingReceipt,
  ServerInviteMetadata,
} from "../signing-in/server-invites.ts";
import { eventsOfStreams } from "../streams.ts";
import { BlockedOn, Task, TaskRef, TaskState, TaskTag, TaskText } from "../tasks.ts";

/**
 * The exported schemas that say more than bounds, without the objects of paths. They are listed: were their modules taken
 * whole, every start of a server would make objects of them.
 */
const exportedSchemas: Readonly<Record<string, TSchema>> = {
  AccessKey,
  Actor,
  AgentLine,
  AgentLocation,
  AgentState,
  AgentWork,
  Allowance,
  AllowanceCategory,
  AllowanceId,
  AnswerRequest,
  AskRequest,
  AskState,
  AttentionAction,
  AttentionCounts,
  AttentionItem,
  AttentionKind,
  AttentionRef,
  Backup,
  BackupName,
  BlockedOn,
  Board,
  BoardFile,
  BoardId,
  BoardName,
  BoardPerson,
  BoardSelector,
  BoardVisibility,
  BriefName,
  BriefSummary,
  BrowserSession,
  Challenge,
  ClientConnected,
  Connected,
  DelegationId,
  DeliveryMode,
  DeliveryQueueView,
  EventEnvelope,
  EventId,
  Excerpt,
  FileApproval,
  FileDetail,
  FileHit,
  FileId,
  FileName,
  FileRef,
  FileVersion,
  FileVersionSelector,
  Figure,
  Freshness,
  HandedOutCode,
  Handle,
  HarnessSession,
  Hash,
  HiddenBoard,
  InviteId,
  JoinCode,
  JoinCodeId,
  JoinResult,
  KeyId,
  KeyName,
  Lifecycle,
  ListedBoard,
  MachineRequest,
  Me,
  MediaType,
  Member,
  MemberId,
  MemberKind,
  MemberName,
  MemberRef,
  Mention,
  Message,
  MessageAnswer,
  MessageAsk,
  MessageHit,
  MessageId,
  MidturnPolicy,
  MidturnPolicyView,
  NewAccessKey,
  NextStep,
  OnboardingDisplay,
  OnboardingReceipt,
  PairingCredential,
  PairingCredentialId,
  PairingEndpoint,
  PairingId,
  PairingRequest,
  PairingSide,
  Person,
  PersonId,
  PersonRemoval,
  Policy,
  PolicyChange,
  Presence,
  QueuedReceipt,
  ReactionName,
  RecordedAnswer,
  RecordedAsk,
  Redaction,
  RemovedAgent,
  RemovedBy,
  ReportedDelivery,
  RequestFigure,
  Role,
  RoleName,
  Roles,
  ServerGeneration,
  ServerId,
  ServerInfo,
  ServerInviteMetadata,
  ServerRole,
  ServerSettings,
  SessionId,
  ShortCode,
  Task,
  TaskHit,
  TaskId,
  TaskPrefix,
  TaskRef,
  TaskReference,
  TaskSelector,
  TaskState,
  TaskTag,
  TaskText,
  Timestamp,
};

/** The names of the contract's exported schemas by their text. Found at the first use: a server starts without them. */
const names = (): ReadonlyMap<string, string> =>
  (knownNames ??= new Map(
    Object.entries(exportedSchemas).map(([name, schema]) => [textOf(schema), name]),
  ));
let knownNames: ReadonlyMap<string, string> | undefined;

/** The name of a schema. TypeBox copies a schema that it makes optional, so the same text counts as the same schema. */
export const nameOfSchema = (schema: TSchema): string | undefined =>
  tells(schema) ? names().get(textOf(schema)) : undefined;

/** The schemas that documents name, by name in alphabetical order: those that an operation or an event holds. */
export function namedSchemas(): ReadonlyMap<string, TSchema> {
  const ops = operationNames.map(operationNamed);
  const found = new Set<string>();
  collectNames(
    ops.map(({ params, query, body, response }) => [params, query, body, response]),
    found,
  );
  collectNames([eventTypes(), eventsOfStreams], found);
  return new Map(Object.entries(exportedSchemas).filter(([name]) => found.has(name)));
}

function collectNames(part: unknown, found: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  const name = isSchema(part) ? nameOfSchema(part) : undefined;
  if (name !== undefined) found.add(name);
  for (const inner of Object.values(part)) collectNames(inner, found);
}

const textOf = (schema: TSchema): string => JSON.stringify(schema);

function isSchema(value: unknown): value is TSchema {
  return typeof value === "object" && value !== null && Kind in value;
}

function tells(schema: TSchema): boolean {
  return ["pattern", "enum", "properties", "patternProperties"].some((word) => word in schema);
}
