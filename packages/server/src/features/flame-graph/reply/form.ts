import type { IncomingHttpHeaders } from "node:http";
import { flameGraphContentType, flameGraphLevelsContentType } from "@flamekeep/contract";
import Negotiator from "negotiator";

export type Form = keyof typeof contentTypes;

export const contentTypes = {
  columns: flameGraphContentType,
  levels: flameGraphLevelsContentType,
  json: "application/json; charset=utf-8",
};

const flameGraphTypes = { columns: flameGraphContentType, levels: flameGraphLevelsContentType } as const;

/** A flame graph and the headers with which browsers may cache it. */
export interface FlameGraphReply {
  /** Undefined if the caller has the current bytes. */
  readonly bytes: Uint8Array | undefined;
  readonly form: Form;
  readonly headers: Readonly<Record<string, string>>;
}

/** JSON also for callers that accept no other form: RFC 9110 (12.5.1) allows a reply in a form that was not requested. */
export function formOf({ accept }: IncomingHttpHeaders): Form {
  return chosenForm(accept, flameGraphTypes);
}

/** As `formOf`, of a comparison, which has no rows of numbers. */
export function comparisonFormOf({ accept }: IncomingHttpHeaders, columns: string): Exclude<Form, "levels"> {
  return chosenForm(accept, { columns });
}

function chosenForm<F extends Form>(
  accept: string | undefined,
  types: Readonly<Partial<Record<F, string>>>,
): F | "json" {
  const offered = Object.entries<string | undefined>(types);
  const names = ["application/json", ...offered.map(([, type]) => type as string)];
  const preferred = new Negotiator({ headers: { accept } }).mediaType(names);
  const found = offered.find(([, type]) => type === preferred);
  return found === undefined ? "json" : (found[0] as F);
}
