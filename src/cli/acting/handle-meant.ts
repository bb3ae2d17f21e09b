import type { Api } from "../connection/api.ts";
import { handle } from "../frame/values.ts";

/** The handle that was typed. `me` is the caller, or the person whose agent calls. */
export async function handleMeant(api: Api, typed: string): Promise<string> {
  const named = handle(typed);
  if (named !== "me") return named;
  const { owner, name } = await api.call("getMe");
  return owner ?? name;
}
