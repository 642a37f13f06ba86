import type { IncomingHttpHeaders } from "node:http";
import { flameGraphContentType } from "@flamekeep/contract";
import Negotiator from "negotiator";

export type Form = keyof typeof contentTypes;

export const contentTypes = { columns: flameGraphContentType, json: "application/json; charset=utf-8" };

/** JSON also for callers that accept neither: RFC 9110 (12.5.1) allows a reply in a form that was not requested. */
export function formOf({ accept }: IncomingHttpHeaders, columnsType = flameGraphContentType): Form {
  const preferred = new Negotiator({ headers: { accept } }).mediaType(["application/json", columnsType]);
  return preferred === columnsType ? "columns" : "json";
}
