/**
 * A coding agent that knows only "checkout got slower", reads nothing but the texts of the tools, and must name file and line in at most
 * four calls. Six regressions are recorded: another build or another flag of the examples. Four are planted in recorded stacks.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { minuteMs } from "@flamekeep/contract/durations";
import { stacksFrom } from "@flamekeep/flame/testing";
import { defaultLimits, profileOfStacks, readProfile, sumStacks } from "@flamekeep/profile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Agent, connectAgent } from "#mcp/testing/agent.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const examples = new URL("../../../../../examples/", import.meta.url);
const callsMax = 4;
/** CPU first: it makes a service slow, and waits follow from it. */
const kinds = ["cpu", "mutex", "block", "memory", "goroutine"];

let server: TestApp;
let ada: Person;
let agent: Agent;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await startApp();
  ada = await server.signUp();
  ({ headers } = await server.makeKey(ada));
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  agent = await connectAgent(server, (await server.makeKey(ada, "agent", "read")).key);
});
afterAll(async () => {
  await agent.close();
  await server.close();
});

type Side = "before" | "after";

interface Regression {
  readonly name: string;
  readonly send: (service: string, side: Side) => Promise<void>;
  readonly file: string;
  /** First and last line that somebody would have to change. */
  readonly lines: readonly [number, number];
}

/** Three windows of ten seconds, an hour and a half ago or now. */
async function sendWindows(
  side: Side,
  send: (window: number, query: Record<string, string>) => Promise<unknown>,
) {
  const minutesAgo = side === "before" ? 90 : 30;
  for (const window of [1, 2, 3]) {
    const at = new Date(server.ctx.now().getTime() - (minutesAgo - 5 * window) * minuteMs).toISOString();
    await send(window, { started_at: at });
  }
}

/** Recordings of the example shop: all types of one service. */
function recordedShop(recorded: string) {
  return recordedIn(
    { before: `shop/recorded/${recorded}/before`, after: `shop/recorded/${recorded}/after` },
    kinds,
  );
}

/** Recordings of the example thumbnailer, with its bad release. */
function recordedThumbs(types: readonly string[]) {
  return recordedIn({ before: "thumbs/recorded/steady-1", after: "thumbs/recorded/release-1" }, types);
}

function recordedIn(folders: Readonly<Record<Side, string>>, types: readonly string[]) {
  return (service: string, side: Side) =>
    sendWindows(side, async (window, query) => {
      for (const type of types) {
        const body = readFileSync(new URL(`${folders[side]}/${type}-0${window + 2}.pb.gz`, examples));
        await server.send(body, { headers, query: { service, type, delta: "true", ...query } });
      }
    });
}

interface Row {
  readonly frames: readonly string[];
  readonly value: number;
}

/** The CPU stacks of the shop's checkout, frames with file and line, root first. */
function checkoutRows(window: number): readonly Row[] {
  const raw = gunzipSync(
    readFileSync(new URL(`shop/recorded/checkout/before/cpu-0${window}.pb.gz`, examples)),
  );
  const read = readProfile(raw, defaultLimits);
  if (!read.ok) throw new Error(read.error.message);
  const { frames, frame, start, values, length } = sumStacks(read.profile);
  return Array.from({ length }, (_, stack) => ({
    frames: Array.from(
      frame.subarray(start[stack], start[stack + 1]),
      (id) => `${frames.functionName[id]}@${frames.file[id]}:${frames.line[id]}`,
    ).reverse(),
    value: Number(values[1]![stack]),
  }));
}

/** The recorded stacks, changed in the later windows. */
function planted(change: (rows: readonly Row[]) => readonly Row[]) {
  return (service: string, side: Side) =>
    sendWindows(side, (window, query) => {
      const rows = checkoutRows(window + (side === "after" ? 3 : 0));
      const stacks = stacksFrom(side === "before" ? rows : change(rows), {
        type: "cpu",
        unit: "nanoseconds",
      });
      const profile = profileOfStacks(stacks, { durationNs: 10_000_000_000n });
      return server.send(profile, { headers, query: { service, type: "cpu", ...query } });
    });
}

const isIn = (frame: string, name: string) => frame.startsWith(`${name}@`);
const quote = "shop/internal/pricing.(*Book).Quote";
const book = "shop/internal/pricing/book.go";

const seal = "shop/internal/pricing.(*Book).seal";
const sealer = "shop/internal/sealer.(*Sealer).seal@shop/internal/sealer/sum.go";
const audit = "shop/internal/audit.Record@shop/internal/audit/record.go";

/** Stacks that call further frames where a function is called, for this part of what it costs. */
function callsOf(
  rows: readonly Row[],
  name: string,
  part: number,
  called: readonly string[],
): readonly Row[] {
  return rows.flatMap(({ frames, value }) => {
    const at = frames.findIndex((frame) => isIn(frame, name));
    return at === -1
      ? []
      : [{ frames: [...frames.slice(0, at), ...called], value: Math.round(part * value) }];
  });
}

/** Lines of the price book move down. */
function shifted(frame: string, by: number): string {
  const [, before, line] = /^(.*@shop\/internal\/pricing\/book\.go:)(\d+)$/.exec(frame) ?? [];
  return before === undefined ? frame : `${before}${Number(line) + by}`;
}

const regressions: readonly Regression[] = [
  {
    name: "recorded: a hash over more rounds",
    send: recordedShop("checkout"),
    ...{ file: "shop/internal/pricing/seal.go", lines: [13, 47] },
  },
  {
    name: "recorded: a cache that keeps more for each page",
    send: recordedShop("catalog"),
    ...{ file: "shop/internal/catalog/cache.go", lines: [55, 80] },
  },
  {
    name: "recorded: goroutines that wait forever",
    send: recordedShop("search"),
    ...{ file: "shop/internal/search/suggest.go", lines: [49, 49] },
  },
  {
    name: "recorded: a picture sharpened more often",
    send: recordedThumbs(["cpu", "memory", "mutex"]),
    ...{ file: "internal/render/render.go", lines: [44, 62] },
  },
  {
    name: "recorded: previews that are kept",
    send: recordedThumbs(["memory"]),
    ...{ file: "internal/store/cache.go", lines: [58, 60] },
  },
  {
    name: "recorded: a journal written under a lock",
    send: recordedThumbs(["mutex"]),
    ...{ file: "internal/store/cache.go", lines: [36, 48] },
  },
  {
    name: "planted: a loop in a line that was inserted above the others",
    send: planted((rows) => [
      ...rows.map((row) => ({ ...row, frames: row.frames.map((frame) => shifted(frame, 4)) })),
      ...callsOf(rows, quote, 0.4, [`${quote}@${book}:63`]),
    ]),
    ...{ file: book, lines: [63, 63] },
  },
  {
    name: "planted: a new function that encodes JSON",
    send: planted((rows) => [
      ...rows,
      ...callsOf(rows, quote, 0.3, [
        `${quote}@${book}:73`,
        `${audit}:31`,
        "encoding/json.Marshal@encoding/json/encode.go:171",
      ]),
    ]),
    ...{ file: "shop/internal/audit/record.go", lines: [31, 31] },
  },
  {
    name: "planted: a function that moved to another package and became heavier",
    send: planted((rows) => {
      const moved = rows.map((row) => ({
        ...row,
        frames: row.frames.map((frame) => (isIn(frame, seal) ? `${sealer}:15` : frame)),
      }));
      return [...moved, ...callsOf(rows, seal, 0.6, [`${sealer}:22`])];
    }),
    ...{ file: "shop/internal/sealer/sum.go", lines: [22, 22] },
  },
  {
    name: "planted: a pattern compiled for each request, while traffic grows by a fifth",
    send: planted((rows) => [
      ...rows.map((row) => ({ ...row, value: Math.round(1.2 * row.value) })),
      ...callsOf(rows, quote, 0.5, [
        `${quote}@${book}:66`,
        "regexp.MustCompile@regexp/regexp.go:313",
        "regexp.compile@regexp/regexp.go:170",
      ]),
    ]),
    ...{ file: book, lines: [66, 66] },
  },
];

/** The text of one answer leads to the next call. */
async function investigate(service: string): Promise<{ place: string; calls: number }> {
  const overview = await agent.call("compare_ranges", { service });
  let calls = 1;
  for (const type of typesToRead(overview)) {
    if (calls === callsMax) break;
    const text = await agent.call("compare_ranges", { service, type });
    calls++;
    const place = placeIn(text);
    if (place !== undefined) return { place, calls };
  }
  return { place: "unknown", calls };
}

function typesToRead(overview: string): readonly string[] {
  const risen = [...overview.matchAll(/^(\w+): .* \((?:\+([\d.]+)%|new)\), /gm)]
    .filter(([, , percent]) => percent === undefined || Number(percent) >= 10)
    .map(([, type]) => type!);
  return kinds.filter((kind) => risen.includes(kind));
}

/** The first function of the application that grew. */
function placeIn(text: string): string | undefined {
  const own = text.slice(text.indexOf("\ncode of the application"));
  return /^ {2}\S.* \(([^()]+:\d+)\): own /m.exec(own)?.[1];
}

it("there are ten regressions", () => expect(regressions).toHaveLength(10));

describe("from 'it got slower' to file and line", () => {
  it.each(regressions.map((each, at) => ({ ...each, service: `checkout-${at + 1}` })))(
    "$name",
    async ({ service, send, file, lines: [first, last] }) => {
      for (const side of ["before", "after"] as const) await send(service, side);
      const { place, calls } = await investigate(service);
      expect(calls).toBeLessThanOrEqual(callsMax);
      expect(place.slice(0, place.lastIndexOf(":")).slice(-file.length)).toBe(file);
      const line = Number(place.slice(place.lastIndexOf(":") + 1));
      expect(line).toBeGreaterThanOrEqual(first);
      expect(line).toBeLessThanOrEqual(last);
    },
    60_000,
  );
});
