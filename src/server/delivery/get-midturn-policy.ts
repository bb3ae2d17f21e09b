import type { Handler } from "../handler.ts";
import { midturnDefault, midturnNow, overridesOf } from "./midturn.ts";

export const getMidturnPolicy: Handler<"getMidturnPolicy"> = (tx, { caller: { seat, person } }) =>
  seat
    ? midturnNow(tx, seat)
    : { ...midturnDefault(tx, person.row), ...overridesOf(tx, person.row) };
