/** The same words for times in a terminal as for an agent: every command takes them from here. */
export { span, when } from "../../agent-text/time-text.ts";
