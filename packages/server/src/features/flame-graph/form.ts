import type { IncomingHttpHeaders } from "node:http";
import { flameGraphContentType } from "@flamekeep/contract";
import Negotiator from "negotiator";

export type Form = keyof typeof contentTypes;

export const contentTypes = { columns: flameGraphContentType, json: "application/json; charset=utf-8" };

/** JSON for whoever takes neither too: RFC 9110 (12.5.1) lets an answer come that was not asked for. */
export function formOf({ accept }: IncomingHttpHeaders): Form {
  const preferred = new Negotiator({ headers: { accept } }).mediaType([
    "application/json",
    flameGraphContentType,
  ]);
  return preferred === flameGraphContentType ? "columns" : "json";
}
