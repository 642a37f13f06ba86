import { flameGraphContentType } from "@flamekeep/contract";
import { preferredType } from "#http/accept.ts";

export type Form = keyof typeof contentTypes;

export const contentTypes = { columns: flameGraphContentType, json: "application/json; charset=utf-8" };

/** JSON for whoever takes neither too: RFC 9110 (12.5.1) lets an answer come that was not asked for. */
export function formOf(accept: string | undefined): Form {
  const preferred = preferredType(accept, ["application/json", flameGraphContentType]);
  return preferred === flameGraphContentType ? "columns" : "json";
}
