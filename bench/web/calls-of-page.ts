import type { Page, Request, Route } from "@flamekeep/e2e/browser";

export interface CallsOfPage {
  /** Calls that wait for one another, one after the other. */
  readonly inSeries: number;
  /** Calls that were made more than once, with method and URL. */
  readonly repeated: readonly string[];
}

/** Long enough for the page to make all calls that it can make with the replies it has. */
const quietMs = 700;

/**
 * Opens a page and holds back the replies of the server, round by round: calls of the second round are those that need a reply
 * of the first. Refreshing is off, so that no call is repeated on purpose.
 */
export async function callsOfPage(page: Page, path: string): Promise<CallsOfPage> {
  const isApi = (url: URL) => /^\/(api|auth)\//.test(url.pathname);
  const held: Route[] = [];
  const inFlight = new Set<Request>();
  // Of any kind: a script that is still loading may make the next call of the same round.
  page.on("request", (request) => inFlight.add(request));
  page.on("requestfinished", (request) => inFlight.delete(request));
  page.on("requestfailed", (request) => inFlight.delete(request));
  const made = new Map<string, number>();
  await page.route(isApi, (route) => {
    const call = `${route.request().method()} ${route.request().url()}`;
    made.set(call, (made.get(call) ?? 0) + 1);
    held.push(route);
  });
  const first = page.waitForRequest((request) => isApi(new URL(request.url())));
  await page.goto(path);
  await first;
  let inSeries = 0;
  for (;;) {
    await quiet(
      () => held.length,
      () => inFlight.size === held.length,
    );
    if (held.length === 0) break;
    inSeries++;
    await Promise.all(held.splice(0).map((route) => route.continue()));
  }
  await page.unroute(isApi);
  return { inSeries, repeated: [...made].filter(([, count]) => count > 1).map(([call]) => call) };
}

/** Waits until all other requests have ended, and the count has stayed the same for a while. */
async function quiet(count: () => number, isDone: () => boolean): Promise<void> {
  for (let before = -1; before !== count() || !isDone(); ) {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, quietMs));
  }
}
