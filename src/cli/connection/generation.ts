import { idForm } from "../../contract/forms.ts";
import type { Api } from "./api.ts";

const form = new RegExp(idForm("gen"));

/**
 * The server's generation, which this machine keeps with positions and hashes. Undefined for a server of an older build. So is
 * whatever is no id, since it would damage the files in which it is kept.
 */
export async function generationOf(api: Api): Promise<string | undefined> {
  const { generation } = await api.info();
  return typeof generation === "string" && form.test(generation) ? generation : undefined;
}
