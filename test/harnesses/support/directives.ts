/** One thing that the scripted model is told to do. */
export interface Directive {
  readonly verb: "shell" | "shells" | "tool" | "agent" | "sleep" | "hold" | "say" | "fail";
  readonly rest: string;
}

const opening = /\[\[(shells|shell|tool|agent|sleep|hold|say|fail):/g;

/** Whether a text tells the model what to do. */
export const isScript = (text: string): boolean => text.search(opening) >= 0;

/** The directives in a text, in order. What a subagent does stands inside its `agent` directive, so they nest. */
function directivesIn(text: string): Directive[] {
  const found: Directive[] = [];
  for (let from = 0; ;) {
    opening.lastIndex = from;
    const match = opening.exec(text);
    if (!match) return found;
    const begin = opening.lastIndex;
    const end = endOf(text, begin);
    const verb = match[1] as Directive["verb"];
    found.push({ verb, rest: text.slice(begin, end - 2).trim() });
    from = end;
  }
}

function endOf(text: string, begin: number): number {
  let end = begin;
  for (let depth = 1; depth > 0 && end < text.length;)
    if (text.startsWith("[[", end)) {
      depth++;
      end += 2;
    } else if (text.startsWith("]]", end)) {
      depth--;
      end += 2;
    } else end++;
  return end;
}

/** What the model does in one call: what it waits for, then its act. Without an act the turn ends. */
export interface Step {
  readonly waits: readonly Directive[];
  readonly act?: Directive;
}

/** One step for each call of the model. */
export function stepsIn(text: string): readonly Step[] {
  const steps: Step[] = [];
  let waits: Directive[] = [];
  for (const directive of directivesIn(text)) {
    if (directive.verb === "sleep" || directive.verb === "hold") waits.push(directive);
    else {
      steps.push({ waits, act: directive });
      waits = [];
    }
  }
  return [...steps, { waits }];
}
