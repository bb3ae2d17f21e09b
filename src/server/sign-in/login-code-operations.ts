import { refuse } from "../../contract/refusal.ts";
import { keyAt, personAt, type KeyRow, type PersonRow } from "../../db/accounts.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { keyWorks } from "../access/identify.ts";
import type { Handler, Tools } from "../handler.ts";
import { personRecord } from "../people/views.ts";
import { afterSeconds, loginCodeSeconds } from "../time.ts";

export const createLoginCode: Handler<"createLoginCode"> = (tx, { caller }, _input, tools) => {
  const code = tools.secrets.create("loginCode");
  const expiresAt = afterSeconds(tx.now, loginCodeSeconds);
  tools.loginCodes.add(tools.secrets.digest(code), { keyRow: caller.key.row, expiresAt }, tx.now);
  return { code, expires_at: expiresAt };
};

export const previewLoginCode: Handler<"previewLoginCode"> = (tx, _standing, { body }, tools) => {
  const found = tools.loginCodes.find(tools.secrets.digest(body.code), tx.now);
  if (!found) throw refuse("login_code_invalid");
  const { key, person } = holderOf(tx, found.keyRow);
  return {
    person: personRecord(person),
    key: { id: key.id, name: key.name },
    expires_at: found.expiresAt,
  };
};

/** The key with which a code was made, and its person. Refuses a key that does not work. */
function holderOf(tx: ReadTx, keyRow: number): { key: KeyRow; person: PersonRow } {
  const key = keyAt(tx, keyRow)!;
  if (!keyWorks(tx, key)) throw refuse("login_code_invalid");
  return { key, person: personAt(tx, key.person_row)! };
}

/** The person whom a code signs in. `request` may use its own code again when its work is repeated. */
export function codePresented(tx: ReadTx, code: string, tools: Tools, request: object) {
  const digest = tools.secrets.digest(code);
  const found = tools.loginCodes.find(digest, tx.now, request);
  if (!found) throw refuse("login_code_invalid");
  return {
    /** Uses the code up, even if the request is then refused. */
    use() {
      tools.loginCodes.take(digest, request);
      return holderOf(tx, found.keyRow);
    },
    personRow: keyAt(tx, found.keyRow)!.person_row,
  };
}
