import { everyCommand } from "./commands.ts";
import type { AnyCommand } from "./frame/command.ts";
import { liveNames } from "./live-names.ts";
import { flagName, flagsOf } from "./frame/parse-arguments.ts";

interface Candidate {
  readonly word: string;
  readonly text: string;
}

/** The flags whose values are names that the program looks up while somebody types. */
const liveFlags = liveNames.map((name) => `--${name}`);
const others = (values: readonly string[]) => values.filter((flag) => !liveFlags.includes(flag));

/** What may follow the first words of a line: nothing, `board`, `board new`, or `keys sessions end`. */
type Candidates = ReadonlyMap<string, readonly Candidate[]>;

const writers = { bash, zsh, fish };

/** A script with which a shell completes commands, flags and choices. It is made from the index of commands. */
export async function completionScript(shell: keyof typeof writers): Promise<string> {
  const loaded = await Promise.all(everyCommand().map(async ({ load }) => (await load()).default));
  return writers[shell](candidates(loaded), valueFlags(loaded));
}

/** The flags that take a value. */
function valueFlags(loaded: readonly AnyCommand[]): string[] {
  const flags = loaded.flatMap((command) => Object.entries(flagsOf(command)));
  const named = (isSwitch: boolean) =>
    flags.flatMap(([name, { type }]) =>
      type !== "positional" && (type === "boolean") === isSwitch ? [`--${flagName(name)}`] : [],
    );
  const switches = named(true);
  return [...new Set(named(false))].filter((flag) => !switches.includes(flag));
}

function candidates(loaded: readonly AnyCommand[]): Candidates {
  const found = new Map<string, Candidate[]>();
  const add = (words: string, candidate: Candidate) => {
    const list = found.get(words) ?? [];
    if (!list.some(({ word }) => word === candidate.word)) list.push(candidate);
    found.set(words, list);
  };
  for (const [index, { name }] of everyCommand().entries()) {
    const command = loaded[index]!;
    const words = name.split(" ");
    for (const [last, word] of words.entries()) {
      const known = words.slice(0, last);
      const text =
        last === words.length - 1 ? command.summary : `${[...known, word].join(" ")} commands`;
      add(known.join(" "), { word, text });
      add(["help", ...known].join(" "), { word, text });
    }
    for (const [key, arg] of Object.entries(flagsOf(command)))
      for (const word of arg.type === "positional" ? (arg.options ?? []) : [`--${flagName(key)}`])
        add(name, { word, text: arg.description });
  }
  return found;
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function bash(all: Candidates, values: readonly string[]): string {
  const cases = [...all].map(
    ([words, list]) => `      "${words}") found="${list.map(({ word }) => word).join(" ")}" ;;`,
  );
  return `# bash completion of service
_service() {
  local found="" words
  COMPREPLY=()
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    ${liveFlags.join("|")})
      compopt +o default 2>/dev/null
      words="$("\${COMP_WORDS[0]}" completion names "\${COMP_WORDS[COMP_CWORD-1]#--}" 2>/dev/null)"
      COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
      return ;;
    ${others(values).join("|")}) return ;;
  esac
  case $COMP_CWORD in
    1) set -- "" ;;
    2) set -- "\${COMP_WORDS[1]}" ;;
    3) set -- "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" "\${COMP_WORDS[1]}" ;;
    *)
      set -- "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" "\${COMP_WORDS[1]}"
      set -- "$1 \${COMP_WORDS[3]}" "$@"
      ;;
  esac
  for words in "$@"; do
    [ -z "$found" ] || break
    case "$words" in
${cases.join("\n")}
    esac
  done
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _service service`;
}

function zsh(all: Candidates, values: readonly string[]): string {
  const described = ({ word, text }: Candidate) => quote(`${word}:${text.replaceAll(":", "\\:")}`);
  const cases = [...all].map(
    ([words, list]) => `      ("${words}") found=(${list.map(described).join(" ")}) ;;`,
  );
  return `#compdef service
_service() {
  local -a found lines
  local line
  case "$words[CURRENT-1]" in
    ${liveFlags.join("|")})
      found=("\${(@f)$("$words[1]" completion names "\${words[CURRENT-1]#--}" 2>/dev/null)}")
      compadd -- "$found[@]"
      return ;;
    ${others(values).join("|")}) _default; return ;;
  esac
  case $CURRENT in
    2) lines=("") ;;
    3) lines=("$words[2]") ;;
    4) lines=("$words[2] $words[3]" "$words[2]") ;;
    *) lines=("$words[2] $words[3] $words[4]" "$words[2] $words[3]" "$words[2]") ;;
  esac
  for line in "$lines[@]"; do
    (( $#found )) && break
    case "$line" in
${cases.join("\n")}
    esac
  done
  _describe 'service' found
}
if [ "$funcstack[1]" = "_service" ]; then _service "$@"; else compdef _service service; fi`;
}

function fish(all: Candidates, values: readonly string[]): string {
  const lines = [...all].flatMap(([words, list]) =>
    list.map(({ word, text }) => {
      const flag = /^--(.+)/.exec(word)?.[1];
      const live = liveFlags.includes(word)
        ? ` -a '(service completion names ${flag} 2>/dev/null)'`
        : "";
      const takes = values.includes(word) ? ` -x${live}` : "";
      const what = flag ? `-l ${flag}${takes}` : `-a ${word}`;
      return `complete -c service -n '__service_after "${words}"' ${what} -d ${quote(text)}`;
    }),
  );
  const parts = [...all.keys()].filter((words) => words.includes(" ")).map(quote);
  return `# fish completion of service
set -g __service_parts ${parts.join(" ")}
function __service_after
  set -l words (commandline -opc)
  if test -z "$argv[1]"
    test (count $words) -eq 1
  else if contains -- "$words[2..4]" $__service_parts
    test "$argv[1]" = "$words[2..4]"
  else if contains -- "$words[2..3]" $__service_parts
    test "$argv[1]" = "$words[2..3]"
  else
    test "$argv[1]" = "$words[2]"
  end
end
complete -c service -f
${lines.join("\n")}`;
}
