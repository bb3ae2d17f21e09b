import { withoutSecrets } from "./credentials.ts";
import { errors, type ErrorEntry, type ErrorName } from "./errors/index.ts";

type Holes<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Holes<Rest>
  : never;
type HolesOf<C extends ErrorName> =
  Holes<(typeof errors)[C]["message"]> | Holes<(typeof errors)[C]["hint"]>;
type Facts<C extends ErrorName> = Record<HolesOf<C>, string | number>;
type FactsAndDetails<C extends ErrorName> = [HolesOf<C>] extends [never]
  ? [facts?: Record<never, never>, details?: Details]
  : [facts: Facts<C>, details?: Details];

/** Machine-readable facts beside the message, such as the valid choices. */
export type Details = Record<string, unknown>;

/** What a person can do for a refused caller. It is guidance and grants nothing. */
export interface NextStep {
  /** One command that can be run as it is, quoted for a shell, without secrets. */
  readonly command: string;
  /** What to do or say after the command, and what happens then. */
  readonly resume: string;
}

/** The one shape of every error on the wire. */
export interface ErrorBody {
  error: { code: string; message: string; hint: string; next?: NextStep; details?: Details };
}

/** A request that the service understood and refused. Everything else that is thrown is a fault. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly entry: ErrorName;
  readonly code: string;
  readonly status: number;
  readonly hint: string;
  readonly details: Details | undefined;
  readonly next: NextStep | undefined;

  constructor(entry: ErrorName, message: string, hint: string, details?: Details, next?: NextStep) {
    super(message);
    const { status, code = entry } = errors[entry] as ErrorEntry;
    this.entry = entry;
    this.code = code;
    this.status = status;
    this.hint = hint;
    this.details = details;
    this.next = next;
  }

  /** This refusal with a next step. */
  withNext(next: NextStep): Refusal {
    return new Refusal(this.entry, this.message, this.hint, this.details, next);
  }

  /** The body of the answer. */
  toBody(): ErrorBody {
    return {
      error: {
        code: this.code,
        message: this.message,
        hint: this.hint,
        ...(this.next && { next: this.next }),
        ...(this.details && { details: this.details }),
      },
    };
  }
}

/** Makes the refusal for an entry. The compiler asks for exactly the names in braces of its message and hint. */
export function refuse<C extends ErrorName>(entry: C, ...given: FactsAndDetails<C>): Refusal {
  const [facts = {}, details] = given as [Record<string, string | number>?, Details?];
  const fill = (template: string) =>
    template.replace(/\{(\w+)\}/g, (_, name: string) => withoutSecrets(String(facts[name] ?? "")));
  return new Refusal(entry, fill(errors[entry].message), fill(errors[entry].hint), details);
}
