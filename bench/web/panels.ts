import type { Page, Request } from "@flamekeep/e2e/browser";
import { atMost, type Measurement, quantile } from "#result";
import { untilQuiet } from "./page-times.ts";
import type { Visitor } from "./visitor.ts";

const rounds = 5;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Calls about the service. */
const isPanelCall = /\/api\/v1\/protected\/.*checkout/;

/**
 * The calls of a dashboard with 12 panels together, compared with the slowest of them alone. Each range is new to the server, because a call
 * that it has answered before takes no time. Each round begins with the other of the two.
 */
export async function measurePanels(visitor: Visitor): Promise<Measurement[]> {
  const page = await visitor.page("demo");
  const first = await callsOf(page, addressAt(0));
  const together: number[] = [];
  const alone: number[][] = first.map(() => []);
  const load = async (shiftMinutes: number) => {
    await callsOf(page, addressAt(shiftMinutes));
    together.push(await page.evaluate(timeOfCalls, isPanelCall.source));
  };
  const one = async (shiftMinutes: number) => {
    for (const [index, call] of first.entries())
      alone[index]!.push(await page.evaluate(timeOfCall, movedBy(call, shiftMinutes)));
  };
  for (let round = 1; round <= rounds; round++) {
    const shift = 20 * round;
    if (round % 2 === 0) await load(shift);
    await one(shift + 1);
    if (round % 2 === 1) await load(shift);
  }
  await page.context().close();
  const wholeMs = quantile(together, 0.5);
  const slowestMs = Math.max(...alone.map((times) => quantile(times, 0.5)));
  return [
    { what: "dashboard of 12 panels: calls", value: first.length, unit: "" },
    { what: "dashboard of 12 panels: first call to last reply, new range", value: wholeMs, unit: "ms" },
    { what: "dashboard of 12 panels: slowest call alone, new range", value: slowestMs, unit: "ms" },
    {
      what: "dashboard of 12 panels: all against the slowest alone",
      value: wholeMs / slowestMs,
      unit: "times",
      bar: atMost(1.5),
    },
  ];
}

const endMs = Math.floor(Date.now() / hourMs) * hourMs;

/** Six hours that end so many minutes earlier. */
function addressAt(shiftMinutes: number): string {
  const toMs = endMs - shiftMinutes * minuteMs;
  const range = { from: new Date(toMs - 6 * hourMs).toISOString(), to: new Date(toMs).toISOString() };
  return `/dashboards/one-service?${new URLSearchParams({ service: "checkout", ...range })}`;
}

/** Opens the page and returns its calls. */
async function callsOf(page: Page, address: string): Promise<Request[]> {
  const calls: Request[] = [];
  const note = (request: Request) => {
    if (isPanelCall.test(request.url())) calls.push(request);
  };
  page.on("request", note);
  await page.goto(address);
  await untilQuiet(page);
  page.off("request", note);
  return calls;
}

/** The same call about a range so many minutes earlier. */
function movedBy(call: Request, shiftMinutes: number) {
  const url = new URL(call.url());
  for (const name of ["from", "to"]) {
    const time = url.searchParams.get(name);
    if (time !== null)
      url.searchParams.set(name, new Date(Date.parse(time) - shiftMinutes * minuteMs).toISOString());
  }
  const { accept = "", authorization } = call.headers();
  return { url: url.href, headers: { accept, ...(authorization !== undefined && { authorization }) } };
}

interface MovedCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** In the page: from the call to the end of its reply. */
async function timeOfCall({ url, headers }: MovedCall): Promise<number> {
  const startMs = performance.now();
  const reply = await fetch(url, { headers });
  await reply.arrayBuffer();
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
  return performance.now() - startMs;
}

/** In the page: from the first call to the last reply. */
function timeOfCalls(pattern: string): number {
  const calls = (performance.getEntriesByType("resource") as PerformanceResourceTiming[]).filter(({ name }) =>
    new RegExp(pattern).test(name),
  );
  const ends = calls.map(({ responseEnd }) => responseEnd);
  return Math.max(...ends) - Math.min(...calls.map(({ startTime }) => startTime));
}
