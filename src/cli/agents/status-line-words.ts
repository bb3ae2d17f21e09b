import type { Args } from "../frame/command.ts";
import type { Clock } from "../frame/surroundings.ts";
import { usageError } from "../../client/machine/local-error.ts";
import { duration } from "../frame/values.ts";

/** The flag of the commands that set a status line. */
export const statusLineFlags = {
  task: {
    type: "string",
    valueHint: "ID",
    description: "The task that it is about (else the agent's current one).",
  },
} as const satisfies Args;

/** The task that `--task` names, as the request has it. */
export const lineTask = ({ task }: { readonly task?: string | undefined }) => ({
  ...(task !== undefined && { task }),
});

/** Refuses a blank status line. */
export function refuseBlank(command: string, text: string | undefined): void {
  if (text?.trim() === "")
    throw usageError("The text is blank.", `Write it in quotes: \`service ${command} "TEXT"\`.`);
}

/** The time that a flag names, as an ISO timestamp: `HH:MM` today in this machine's time zone, or a duration from now. */
export function untilTime(clock: Clock, text: string, flag = "--until"): string {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined && !/^(\d+[ywdhms])+$/.test(text))
    throw usageError(
      `${flag} is neither a time today nor a duration: ${text}.`,
      "Write a time such as `17:30`, or a duration such as `20m` or `2h`.",
    );
  const time = new Date(clock.now());
  if (hours === undefined) time.setTime(time.getTime() + 1000 * duration(flag, text, "1s", "1y"));
  else time.setHours(Number(hours), Number(minutes), 0, 0);
  return time.toISOString();
}
