/** The text of the plugin. It is imported with `type: "text"`, and never runs in this program. */
declare const text: string;
export default text;
