/** The same cleaning for a terminal as for an agent: every command takes it from here. */
export { clean, escapedControls, oneLine, withoutControls } from "../../agent-text/clean.ts";
