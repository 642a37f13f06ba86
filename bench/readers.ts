import { flameGraphContentType } from "@flamekeep/contract";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";
import { type Flamekeep, startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { comparisonMediaType } from "@flamekeep/flame/compare";
import { variantsOf } from "./load/variants.ts";
import { typicalCpuProfiles } from "./profiles.ts";
import { atMost, type BenchResult, quantile } from "./result.ts";

const profiles = 3000;
const senders = 8;
const rounds = 30;
const hourMs = 3_600_000;
const minuteMs = 60_000;
const ratioMax = 1.3;

/** A question of a reader of Pyroscope, and the same as a call of our own. */
interface Pair {
  readonly what: string;
  /** A call of `QuerierService` with its message, or an address. */
  readonly reader:
    | { readonly method: string; readonly message: (range: Range) => object }
    | { readonly address: (range: Range) => string };
  readonly own: (range: Range) => string;
  readonly accept: string;
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Times of Pyroscope's query API over those of the same questions by our own calls, each over another range so that no reply is cached. */
export async function benchReaders(): Promise<BenchResult> {
  await using server = await startFlamekeep({ env: { DEMO: "off", LOG_LEVEL: "error" } });
  const account = await signUp(server.url);
  const key = await readKeyOf(server, account);
  await sendDay(account);
  const times = pairs.map(() => ({ own: [] as number[], reader: [] as number[] }));
  const end = Math.floor(Date.now() / minuteMs) * minuteMs;
  for (let round = 0; round < rounds; round++) {
    for (const [at, pair] of pairs.entries()) {
      // Neither has a range that the other has read before.
      const range = (shift: number) => {
        const toMs = end - (2 * round + shift) * minuteMs;
        return { fromMs: toMs - 6 * hourMs, toMs };
      };
      const isOwnFirst = round % 2 === 0;
      const own = () => askOwn(server, account, pair, range(isOwnFirst ? 0 : 1));
      const reader = () => askReader(server, key, pair, range(isOwnFirst ? 1 : 0));
      if (isOwnFirst) times[at]!.own.push(await own());
      times[at]!.reader.push(await reader());
      if (!isOwnFirst) times[at]!.own.push(await own());
    }
  }
  return {
    name: "readers",
    input: `${profiles} profiles of ${Math.round(typicalCpuProfiles(1)[0]!.body.length / 1000)} KB over 24 h, ranges of 6 h, ${rounds} of each call`,
    measurements: pairs.flatMap(({ what }, at) => {
      const { own, reader } = times[at]!;
      const [ownMs, readerMs] = [quantile(own, 0.5), quantile(reader, 0.5)];
      return [
        {
          what: `${what}, over our own call, p50`,
          value: readerMs / ownMs,
          unit: "times",
          bar: atMost(ratioMax),
        },
        { what: `${what}, p50`, value: readerMs, unit: "ms" },
      ];
    }),
  };
}

const cpu = "process_cpu:cpu:nanoseconds:cpu:nanoseconds";
const selected =
  (selector: string) =>
  ({ fromMs, toMs }: Range) => ({ profileTypeID: cpu, labelSelector: selector, start: fromMs, end: toMs });
const whole = selected('{service_name="bench"}');
const tagged = selected('{service_name="bench",region="eu"}');
const rangeOf = ({ fromMs, toMs }: Range) => `from=${fromMs}&to=${toMs}`;
/** A range that no other pair has read: our own graph of it would be cached. */
const earlier = ({ fromMs, toMs }: Range) => ({ fromMs: fromMs - 3 * hourMs, toMs: toMs - 3 * hourMs });
const json = "application/json";
/** One that no sample has: both read the labels of all profiles. */
const span = "00f067aa0ba902b7";

const pairs: readonly Pair[] = [
  {
    what: "SelectMergeStacktraces",
    reader: { method: "SelectMergeStacktraces", message: whole },
    own: (range) => `flamegraph/service/bench/cpu?${rangeOf(range)}`,
    accept: flameGraphContentType,
  },
  {
    what: "SelectMergeStacktraces of a tag",
    reader: { method: "SelectMergeStacktraces", message: tagged },
    own: (range) => `flamegraph/service/bench/cpu?${rangeOf(range)}&tag.region=eu`,
    accept: flameGraphContentType,
  },
  {
    what: "SelectMergeProfile",
    reader: { method: "SelectMergeProfile", message: whole },
    own: (range) => `flamegraph/service/bench/cpu?${rangeOf(range)}&stored_frames=true&group_by=line`,
    accept: flameGraphContentType,
  },
  {
    what: "SelectSeries",
    reader: { method: "SelectSeries", message: (range) => ({ ...whole(range), step: 900 }) },
    own: (range) => `series/service/bench/cpu?${rangeOf(range)}&bucket=15m`,
    accept: json,
  },
  {
    what: "SelectSeries by a tag",
    reader: {
      method: "SelectSeries",
      message: (range) => ({ ...whole(range), step: 900, groupBy: ["region"] }),
    },
    own: (range) => `series/service/bench/cpu?${rangeOf(range)}&bucket=15m&group_by=region`,
    accept: json,
  },
  {
    what: "LabelValues",
    reader: {
      method: "LabelValues",
      message: ({ fromMs, toMs }) => ({
        name: "region",
        matchers: ['{service_name="bench"}'],
        start: fromMs,
        end: toMs,
      }),
    },
    own: (range) => `tags/service/bench?${rangeOf(range)}`,
    accept: json,
  },
  {
    what: "LabelNames",
    reader: {
      method: "LabelNames",
      message: ({ fromMs, toMs }) => ({ matchers: ['{service_name="bench"}'], start: fromMs, end: toMs }),
    },
    own: (range) => `tags/service/bench?${rangeOf(range)}`,
    accept: json,
  },
  {
    what: "ProfileTypes",
    reader: { method: "ProfileTypes", message: ({ fromMs, toMs }) => ({ start: fromMs, end: toMs }) },
    own: (range) => `summary/services?${rangeOf(range)}`,
    accept: json,
  },
  {
    what: "Series",
    reader: {
      method: "Series",
      message: ({ fromMs, toMs }) => ({
        matchers: ['{service_name="bench"}'],
        labelNames: ["service_name", "region", "__profile_type__"],
        start: fromMs,
        end: toMs,
      }),
    },
    own: (range) => `tags/service/bench?${rangeOf(range)}`,
    accept: json,
  },
  {
    what: "SelectHeatmap",
    reader: {
      method: "SelectHeatmap",
      message: (range) => ({ ...whole(range), step: 900, queryType: "HEATMAP_QUERY_TYPE_INDIVIDUAL" }),
    },
    own: (range) => `profiles/service/bench?${rangeOf(range)}&type=cpu&limit=1000`,
    accept: json,
  },
  {
    what: "SelectMergeSpanProfile",
    reader: {
      method: "SelectMergeSpanProfile",
      message: (range) => ({ ...whole(range), spanSelector: [span] }),
    },
    own: (range) => `flamegraph/service/bench/cpu?${rangeOf(range)}&labels=span_id:${span}`,
    accept: flameGraphContentType,
  },
  {
    what: "render",
    reader: {
      address: (range) => {
        const { fromMs, toMs } = earlier(range);
        const query = encodeURIComponent(`${cpu}{service_name="bench"}`);
        return `/pyroscope/render?query=${query}&from=${fromMs}&until=${toMs}`;
      },
    },
    own: (range) => `flamegraph/service/bench/cpu?${rangeOf(earlier(range))}`,
    accept: flameGraphContentType,
  },
  {
    what: "Diff",
    reader: {
      method: "Diff",
      message: (range) => {
        const middle = range.toMs - 3 * hourMs;
        return { left: whole({ ...range, toMs: middle }), right: whole({ ...range, fromMs: middle }) };
      },
    },
    own: ({ fromMs, toMs }) => {
      const middle = toMs - 3 * hourMs;
      return `flamegraph/diff?service=bench&type=cpu&before_from=${fromMs}&before_to=${middle}&after_from=${middle}&after_to=${toMs}`;
    },
    accept: comparisonMediaType,
  },
];

async function readKeyOf(server: Flamekeep, account: Account): Promise<string> {
  const reply = await fetch(`${server.url}/api/v1/protected/api-keys`, {
    method: "POST",
    headers: { ...account.headers, "content-type": json },
    body: JSON.stringify({ name: "reader", scope: "read" }),
  });
  const { api_key } = (await reply.json()) as { api_key: { key: string } };
  return api_key.key;
}

async function sendDay(account: Account): Promise<void> {
  const variants = variantsOf(typicalCpuProfiles(1)[0]!.body);
  const nowMs = Date.now();
  let next = 0;
  const send = async () => {
    for (let index = next++; index < profiles; index = next++) {
      const startedAtMs = Math.round(nowMs - ((index + 1) * 24 * hourMs) / profiles);
      const body = Buffer.concat(variants.at(BigInt(startedAtMs) * 1_000_000n));
      const region = index % 2 === 0 ? "eu" : "us";
      await account.send(body, `service=bench&type=cpu&tag.region=${region}&started_at=${startedAtMs}`);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
}

async function askOwn(
  server: Flamekeep,
  account: Account,
  { own, accept }: Pair,
  range: Range,
): Promise<number> {
  const url = `${server.url}/api/v1/protected/${own(range)}`;
  return timeOf(url, { headers: { ...account.headers, accept } });
}

async function askReader(server: Flamekeep, key: string, { reader }: Pair, range: Range): Promise<number> {
  const headers = { "x-api-key": key, "content-type": json };
  if ("address" in reader) return timeOf(server.url + reader.address(range), { headers });
  return timeOf(`${server.url}/querier.v1.QuerierService/${reader.method}`, {
    method: "POST",
    headers,
    body: JSON.stringify(reader.message(range)),
  });
}

async function timeOf(url: string, request: RequestInit): Promise<number> {
  const startedAt = performance.now();
  const reply = await fetch(url, request);
  const size = (await reply.arrayBuffer()).byteLength;
  if (!reply.ok || size < 10) throw new Error(`${url} answered ${reply.status}`);
  return performance.now() - startedAt;
}
