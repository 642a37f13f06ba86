import type { FastifyInstance } from "fastify";

/** The methods that a path is known with; none where it is not known. */
export type AllowedMethods = (path: string) => readonly string[];

/**
 * Collects the routes that are registered after this call. Wildcards are left out: they match what is not there.
 *
 * @param paramLengthMax of the router: an address with a longer part is not known
 */
export function collectMethods(app: FastifyInstance, paramLengthMax = 100): AllowedMethods {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    if (url.includes("*")) return;
    const route = routes.get(url) ?? { pattern: pathPattern(url, paramLengthMax), methods: new Set() };
    routes.set(url, route);
    for (const each of [method].flat()) route.methods.add(each);
  });
  return (path) => {
    const matching = [...routes.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  };
}

/** Of a path with parameters as `:name` or `{name}`. */
export function pathPattern(path: string, paramLengthMax?: number): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/:\w+|\{\w+\}/g, `[^/]{1,${paramLengthMax ?? ""}}`)}$`);
}
