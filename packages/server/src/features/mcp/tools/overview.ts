import { type ReplyOf, serviceSeries } from "@flamekeep/contract";
import { printableName, wordingOf } from "#mcp/text/quantity.ts";
import { labelQuery, type Read, tagQuery } from "./tool.ts";

interface Span {
  readonly from: string;
  readonly to: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

type Chart = ReplyOf<typeof serviceSeries>["charts"][number];

/** Each type of profile of a service before and after, the largest rise first. */
export async function overviewText(
  read: Read,
  service: string,
  spans: { readonly before: Span; readonly after: Span },
): Promise<string> {
  const [before, after] = await Promise.all([
    chartsOf(read, service, spans.before),
    chartsOf(read, service, spans.after),
  ]);
  if (before.length === 0 || after.length === 0) {
    return `No profile of this service in the ${before.length === 0 ? "earlier" : "later"} range.`;
  }
  const rows = after.map((later) => {
    const earlier = before.find(({ type }) => type === later.type);
    return rowOf(earlier ?? { ...later, lines: [] }, later);
  });
  const texts = rows.toSorted((a, b) => b.ratio - a.ratio).map(({ text }) => text);
  return [...texts, "Call it again with the type that changed, for functions, files and lines."].join("\n");
}

async function chartsOf(
  read: Read,
  service: string,
  { from, to, tags, labels }: Span,
): Promise<readonly Chart[]> {
  // The range is widened to whole buckets.
  const query = { from, to, bucket: "1m", labels: labelQuery(labels), ...tagQuery(tags) };
  return (await read(serviceSeries, { params: { service, type: "all" }, query })).charts;
}

function rowOf(earlier: Chart, later: Chart) {
  const slash = later.sample_type.lastIndexOf("/");
  const [sampleType, unit] = [later.sample_type.slice(0, slash), later.sample_type.slice(slash + 1)];
  const sides = [earlier, later].map(measured);
  const isTimed = sides.every(({ seconds, profiles }) => profiles === 0 || seconds > 0);
  const { write } = wordingOf({
    profileType: later.type,
    unit: unit === "count" || unit === "" ? sampleType : unit,
    per: later.aggregation === "mean" ? "mean" : isTimed ? "second" : "profile",
  });
  const [before, after] = sides.map(({ total, seconds, profiles }) => {
    if (later.aggregation === "mean") return total;
    return total / Math.max(1e-9, isTimed ? seconds : profiles);
  }) as [number, number];
  const ratio = before === 0 ? Number.POSITIVE_INFINITY : after / before;
  const change = before === 0 ? "new" : `${ratio >= 1 ? "+" : ""}${(100 * (ratio - 1)).toFixed(1)}%`;
  return {
    ratio,
    text: `${later.type}: ${write(before)} -> ${write(after)} (${change}), ${printableName(sampleType)}`,
  };
}

function measured({ lines }: Chart) {
  const [line] = lines;
  if (line === undefined) return { total: 0, seconds: 0, profiles: 0 };
  const seconds = line.durations_ms.reduce((sum, ms) => sum + ms, 0) / 1000;
  return { total: line.total, seconds, profiles: line.profiles };
}
