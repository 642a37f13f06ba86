/**
 * Which label of samples names an HTTP route, and with which value. Pure.
 *
 * Programs write routes in many ways: with the method or without, as a pattern of their router or as a template of OpenTelemetry.
 *
 *     GET /orders/{id}    /orders/{id}    /orders/:id    /orders/<id>    /orders/*
 */

import type { HttpRoute } from "@flamekeep/contract";

export interface RouteLabel {
  readonly name: string;
  readonly value: string;
  /** The method of the requests whose samples have the label; empty for all methods of the path. */
  readonly method: string;
}

/** A label with its values, those with the largest totals first. */
export interface LabelWithValues {
  readonly name: string;
  readonly values: readonly string[];
}

/** The label and the value that a caller names; a value alone means nothing. */
export interface NamedLabel {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
}

/** Names that programs give such labels, the most telling first; compared in small letters, with `_` for dots and hyphens. */
const usualNames = ["http_route", "route", "handler", "endpoint", "http_path", "path", "http_target", "url"];

/** The label that names the route; undefined if no value reads like it. */
export function routeLabel(
  labels: readonly LabelWithValues[],
  route: HttpRoute,
  named: NamedLabel = {},
): RouteLabel | undefined {
  const { name, value } = named;
  if (name !== undefined && value !== undefined) {
    const found = matchOf(value, route);
    return { name, value, method: found?.method ?? route.method };
  }
  const candidates = labels.filter((label) => name === undefined || label.name === name);
  return candidates
    .toSorted((a, b) => rankOf(a.name) - rankOf(b.name))
    .flatMap((label) => {
      const best = label.values
        .flatMap((each) => {
          const found = matchOf(each, route);
          return found === undefined ? [] : { name: label.name, value: each, ...found };
        })
        .toSorted((a, b) => b.likeness - a.likeness)[0];
      return best === undefined ? [] : { name: best.name, value: best.value, method: best.method };
    })[0];
}

function rankOf(name: string): number {
  const index = usualNames.indexOf(name.toLowerCase().replace(/[.-]/g, "_"));
  return index === -1 ? usualNames.length : index;
}

/** How much a value reads like a route, and its method; undefined if it means another one. */
function matchOf(value: string, route: HttpRoute): { likeness: number; method: string } | undefined {
  const given = partsOf(value);
  if (given.method !== "" && route.method !== "" && given.method !== route.method.toUpperCase())
    return undefined;
  const isSame = given.path === route.path;
  if (!isSame && templateOf(given.path) !== templateOf(route.path)) return undefined;
  return { likeness: (isSame ? 2 : 0) + (given.method === "" ? 0 : 1), method: given.method };
}

function partsOf(value: string): HttpRoute {
  const [, method = "", path = value] = /^([A-Za-z]{3,10}) +(\S.*)$/su.exec(value) ?? [];
  return { method: method.toUpperCase(), path };
}

/** The path with `{}` for each parameter, without a slash at its end. `{$}` of Go ends a path. */
function templateOf(path: string): string {
  const segments = path
    .replace(/\/\{\$\}$/u, "/")
    .split("/")
    .map((segment) => (isParameter(segment) ? "{}" : segment));
  const text = segments.join("/");
  return text.length > 1 && text.endsWith("/") ? text.slice(0, -1) : text;
}

function isParameter(segment: string): boolean {
  return /^(?:\{[^{}]*\}|<[^<>]*>|\[[^[\]]*\]|:.+|\*.*)$/u.test(segment);
}
