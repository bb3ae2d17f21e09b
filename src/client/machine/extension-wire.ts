import type { DaemonAgent, DaemonAnswer } from "./daemon-wire.ts";

/** How far a harness has got with a text, as its extension says it. The daemon's port for harnesses says what each means. */
export type ToldFate = "absent" | "waiting" | "unanswered" | "answered";

/** What a session does when its extension opens it, and later. */
export type ToldState = "busy" | "idle" | "failed";

/**
 * What an extension sends, one line each. `hello` opens the connection of one process of the harness, which may hold several
 * sessions. Every other line but `log` and `goodbye` names its session.
 */
export type ExtensionLine =
  | {
      readonly op: "hello";
      readonly v: number;
      readonly harness: string;
      /** A random id of the harness's process. */
      readonly boot: string;
      readonly harness_version?: string;
      readonly extension_version?: string;
      /** A subagent's id. It is refused: a subagent has no seat. */
      readonly subagent?: string;
    }
  | {
      readonly op: "open";
      readonly session: string;
      readonly state?: ToldState;
      readonly subagent?: string;
    }
  | { readonly op: ToldState | "closed"; readonly session: string }
  | { readonly op: "received"; readonly session: string; readonly handoff_id: string }
  | {
      /** The harness did not take a text, or could not tell what became of one. */
      readonly op: "refused";
      readonly session: string;
      readonly handoff_id: string;
      readonly reason?: string;
    }
  | { readonly op: "answered"; readonly session: string; readonly handoff_id: string }
  | {
      readonly op: "fate";
      readonly session: string;
      readonly handoff_id: string;
      readonly fate: ToldFate;
    }
  | { readonly op: "boundary"; readonly session: string; readonly ask: number }
  | { readonly op: "log"; readonly text: string }
  | { readonly op: "goodbye" };

type FieldOf<Line> = Line extends unknown ? keyof Line : never;
/** A field that some line of an extension has. */
export type ExtensionField = FieldOf<ExtensionLine>;

/** What the daemon sends on the connection of an extension. */
export type ExtensionEvent =
  | { readonly event: "welcome"; readonly boot: string }
  | ({
      readonly event: "opened";
      readonly session: string;
      readonly agents: readonly DaemonAgent[];
    } & Pick<DaemonAnswer, "reopened" | "lost" | "note">)
  /** The session is not opened. The connection goes on. */
  | ({ readonly event: "refused"; readonly session: string } & NonNullable<DaemonAnswer["error"]>)
  | {
      readonly event: "deliver";
      readonly session: string;
      readonly handoff_id: string;
      readonly delivery_class: "owner_only" | "mixed";
      readonly bundle: string;
    }
  | { readonly event: "fate"; readonly session: string; readonly handoff_id: string }
  | { readonly event: "notice"; readonly ask: number; readonly notice?: string }
  /** Another connection has the session now. */
  | { readonly event: "release"; readonly session: string }
  /** The daemon was asked to stop. An extension starts none until its session shows itself again. */
  | { readonly event: "stopping" };
