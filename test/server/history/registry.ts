import type fc from "fast-check";
import type { Answer } from "../../../src/client/client.ts";
import type { EventType } from "../../../src/contract/log.ts";
import type { Actor, Scene } from "./scene.ts";
import type { BoardModel, MemberModel, Recorded } from "./model.ts";

/** What the contract says that a request comes to. What is left out is not said. */
export interface Expected {
  /** The code of the refusal; null where it succeeds. */
  readonly refusal?: string | null;
  /** Types of the events that a success appends, in their order. */
  readonly events?: readonly EventType[];
  /** Looks at a success, after its events were folded. */
  readonly after?: (answer: any, events: readonly Recorded[]) => void | Promise<void>;
}

/** One thing that members do. */
export interface Command {
  readonly name: string;
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  /** Who does it; everybody if left out. */
  readonly who?: (actor: Actor, scene: Scene) => boolean;
  readonly arbitrary: fc.Arbitrary<object>;
  /** What the drawn numbers mean among what there is now; null where there is nothing to do it to. It is printed. */
  readonly choose: (scene: Scene, by: Actor, drawn: any) => object | null;
  /** Looks at the model as it is before. */
  readonly model: (scene: Scene, by: Actor, act: any) => Expected;
  readonly run: (scene: Scene, by: Actor, act: any) => Promise<Answer<unknown>>;
}

/** For commands that only people have. */
export const people = ({ seat }: Actor): boolean => seat === null;
/** For those of people who are no guests. */
export const hosts = ({ seat, guest }: Actor): boolean => seat === null && !guest;
/** For those that only agents have. */
export const agents = ({ seat }: Actor): boolean => seat !== null;

/** Keeps the types of a command together while it is written, and not after. */
export const command = <D extends object, A extends object>(
  given: Pick<Command, "name" | "weight" | "who"> & {
    arbitrary: fc.Arbitrary<D>;
    choose: (scene: Scene, by: Actor, drawn: D) => A | null;
    model: (scene: Scene, by: Actor, act: A) => Expected;
    run: (scene: Scene, by: Actor, act: A) => Promise<Answer<unknown>>;
  },
): Command => given;

/** Something that a member reads, compared with what the model says that they may see. Throws where they differ. */
export interface Reading {
  readonly name: string;
  readonly check: (view: View) => Promise<void>;
}
/** Who reads which board. */
export interface View {
  readonly scene: Scene;
  readonly board: BoardModel;
  readonly actor: Actor;
  readonly me: MemberModel;
  /** Grows with every step: what is too much to read each time is read in turn. */
  readonly turn: number;
  /** Whether what is long is read from its beginning. Else the newest of it will do. */
  readonly whole: boolean;
}

/** What one part of the service adds to the histories: a file of its own in `features`, listed in `features.ts`. */
export interface Feature {
  readonly commands: readonly Command[];
  readonly readings: readonly Reading[];
  /** What it keeps of a board besides what `model.ts` does; in a `slot`. */
  readonly fold?: (board: BoardModel, event: Recorded) => void;
}
