import type { FastifyInstance } from "fastify";

/** The routes that an app has registered. */
export interface RegisteredRoutes {
  /** The methods of a path; empty if no route has it. */
  methodsOf(path: string): readonly string[];
  /** Whether a route begins with the same first segment, in any case: an unknown path there is never a page of the app. */
  sharesFirstSegment(path: string): boolean;
}

/**
 * Collects the routes that are registered after this call. Wildcards are left out, because they also match paths without content.
 *
 * @param paramLengthMax the limit of the router: it does not match addresses with a longer part
 */
export function collectRoutes(app: FastifyInstance, paramLengthMax = 100): RegisteredRoutes {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  // A missing file of the built web app must not be answered with its page.
  const firstSegments = new Set(["assets"]);
  app.addHook("onRoute", ({ url, method }) => {
    if (url.includes("*")) return;
    if (firstSegmentOf(url) !== "") firstSegments.add(firstSegmentOf(url));
    const route = routes.get(url) ?? { pattern: pathPattern(url, paramLengthMax), methods: new Set() };
    routes.set(url, route);
    for (const each of [method].flat()) route.methods.add(each);
  });
  return {
    methodsOf(path) {
      const matching = [...routes.values()].filter(({ pattern }) => pattern.test(path));
      return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
    },
    sharesFirstSegment: (path) => firstSegments.has(firstSegmentOf(path)),
  };
}

function firstSegmentOf(path: string): string {
  return (path.split("/")[1] ?? "").toLowerCase();
}

/** Matches a path whose parameters are written `:name` or `{name}`. */
export function pathPattern(path: string, paramLengthMax?: number): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/:\w+|\{\w+\}/g, `[^/]{1,${paramLengthMax ?? ""}}`)}$`);
}
