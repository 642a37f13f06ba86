import { displayTypeOf, storedTypeOf } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { boundedRange, type TimeRange, toWholeMinutes } from "#http/query/time-range.ts";
import type { ReaderOperation, Reading } from "./operation.ts";
import { type NamedType, namedTypeOf, parseProfileTypeId, partsOf } from "./select/profile-type-ids.ts";
import { labelsOfSamples, storedSpan, typesOfServices } from "./select/queries.ts";
import { readSeries, requestedTimes, select, serviceOf } from "./select/selection.ts";
import { nameLabel, parseSelector, parseSelectors } from "./select/selector.ts";
import { labelSetsOf, matchesAny, serviceLabel } from "./select/series-labels.ts";
import { spanLabels } from "./spans.ts";

/** Labels of samples that are listed, and values of each. */
const [labelNamesMax, labelValuesMax] = [200, 1000];
/** Readers that name no range get these days. */
const daysByDefault = 7;

function rangeOf({ ctx }: Reading, times: { start: bigint; end: bigint }): TimeRange {
  const now = ctx.now();
  if (times.start === 0n && times.end === 0n) {
    const nowMs = now.getTime();
    return boundedRange(nowMs - daysByDefault * dayMs, nowMs, nowMs);
  }
  return requestedTimes(times, now);
}

/** Every type that profiles of the range have. */
export const profileTypes: ReaderOperation<"ProfileTypesRequest", "ProfileTypesResponse"> = async (
  reading,
  request,
) => {
  const types = (await namedTypes(reading, rangeOf(reading, request))).map(partsOf);
  return { profileTypes: types.toSorted((a, b) => (a.ID < b.ID ? -1 : 1)) };
};

async function namedTypes({ ctx, orgId }: Reading, range: TimeRange): Promise<NamedType[]> {
  const { fromMs, toMs } = toWholeMinutes(range);
  const times = { from: new Date(fromMs), to: new Date(toMs) };
  const rows = await ctx.columns.query(typesOfServices, { orgId, service: "", ...times });
  const found = new Map<string, NamedType>();
  for (const { type, sampleTypes } of rows) {
    const isMixed = sampleTypes.some((each) => displayTypeOf(type, [each]) !== type);
    for (const sampleType of sampleTypes) {
      const named = namedTypeOf(type, [sampleType], sampleType);
      // The samples of separate types are counted with those of other custom profiles.
      const isShared = isMixed && named?.type === type && /^samples?\/count$/.test(sampleType);
      if (named !== undefined && !isShared) found.set(partsOf(named).ID, named);
    }
  }
  return [...found.values()];
}

/** The sets of labels that match one of the selectors; labels of samples are in none of them, and match all. */
async function matchingSets(
  reading: Reading,
  { matchers, ...times }: { matchers: readonly string[]; start: bigint; end: bigint },
  ofSamples: readonly { readonly name: string }[] = [],
): Promise<ReadonlyMap<string, string>[]> {
  const given = parseSelectors(matchers);
  const named = given.map((each) => each.find(({ name }) => name === serviceLabel)?.equals);
  const service = named.length === 1 ? (named[0] ?? "") : "";
  const range = toWholeMinutes(rangeOf(reading, times));
  const rows = await readSeries(reading.ctx, reading.orgId, { service, type: "", range });
  const isOfSamples = (name: string) =>
    ofSamples.some((label) => label.name === name) && !rows.some((row) => row.tagNames.includes(name));
  const selectors = given.map((each) => each.filter(({ name }) => !isOfSamples(name)));
  return rows.flatMap((row) => [...labelSetsOf(row)]).filter((labels) => matchesAny(selectors, labels));
}

export const labelNames: ReaderOperation<"LabelNamesRequest", "LabelNamesResponse"> = async (
  reading,
  request,
) => {
  const ofSamples = await sampleLabels(reading, request);
  const sets = await matchingSets(reading, request, ofSamples);
  if (sets.length === 0) return { names: [] };
  const names = [...sets.flatMap((labels) => [...labels.keys()]), ...ofSamples.map(({ name }) => name)];
  return { names: [...new Set(names)].sort() };
};

export const labelValues: ReaderOperation<"LabelValuesRequest", "LabelValuesResponse"> = async (
  reading,
  request,
) => {
  const isWhole = request.matchers.every((text) => parseSelector(text).length === 0);
  if (isWhole && request.name === serviceLabel) return { names: await services(reading, request) };
  const ofSamples = await sampleLabels(reading, request);
  const sets = await matchingSets(reading, request, ofSamples);
  const values = sets.flatMap((labels) => labels.get(request.name) ?? []);
  if (values.length > 0 || sets.length === 0) return { names: [...new Set(values)].sort() };
  return { names: (ofSamples.find(({ name }) => name === request.name)?.texts ?? []).toSorted() };
};

/** The labels of samples of the service that a selector names, without ids of spans. Those of all services would be too many to look through. */
async function sampleLabels(
  reading: Reading,
  { matchers, ...times }: { matchers: readonly string[]; start: bigint; end: bigint },
): Promise<{ name: string; texts: string[] }[]> {
  const given = parseSelectors(matchers).flat();
  const service = serviceOf(given.filter(({ name }) => name === serviceLabel));
  if (service === undefined) return [];
  const { fromMs, toMs } = toWholeMinutes(rangeOf(reading, times));
  const id = given.find(({ name }) => name === "__profile_type__")?.equals;
  const rows = await reading.ctx.columns.query(labelsOfSamples, {
    orgId: reading.orgId,
    service,
    type: id === undefined ? "" : storedTypeOf(parseProfileTypeId(id).type),
    from: new Date(fromMs),
    to: new Date(toMs),
    namesMax: labelNamesMax,
    valuesMax: labelValuesMax,
  });
  return rows.filter(({ name }) => !spanLabels.includes(name));
}

async function services(reading: Reading, request: { start: bigint; end: bigint }): Promise<string[]> {
  const { fromMs, toMs } = toWholeMinutes(rangeOf(reading, request));
  const times = { from: new Date(fromMs), to: new Date(toMs) };
  const { ctx, orgId } = reading;
  const rows = await ctx.columns.query(typesOfServices, { orgId, service: "", ...times });
  return [...new Set(rows.map(({ service }) => service))].sort();
}

export const series: ReaderOperation<"SeriesRequest", "SeriesResponse"> = async (reading, request) => {
  const isTypesOfServices =
    request.labelNames.length > 0 && request.labelNames.every((name) => cheapLabels.has(name));
  const hasSelector = request.matchers.some((text) => parseSelector(text).length > 0);
  const sets =
    isTypesOfServices && !hasSelector
      ? await typeSets(reading, request)
      : await matchingSets(reading, request);
  const found = new Map<string, { labels: { name: string; value: string }[] }>();
  for (const set of sets) {
    const labels = [...set]
      .filter(([name]) => request.labelNames.length === 0 || request.labelNames.includes(name))
      .map(([name, value]) => ({ name, value }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    if (labels.length > 0) found.set(JSON.stringify(labels), { labels });
  }
  return { labelsSet: [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, labels]) => labels) };
};

/** Labels that the totals of minutes know: no profile is read for them. */
const cheapLabels = new Set([serviceLabel, "__profile_type__", nameLabel, "__type__"]);

async function typeSets(
  reading: Reading,
  request: { start: bigint; end: bigint },
): Promise<ReadonlyMap<string, string>[]> {
  const { fromMs, toMs } = toWholeMinutes(rangeOf(reading, request));
  const times = { from: new Date(fromMs), to: new Date(toMs) };
  const { ctx, orgId } = reading;
  const rows = await ctx.columns.query(typesOfServices, { orgId, service: "", ...times });
  return rows.flatMap((row) =>
    row.sampleTypes.flatMap((sampleType) => [
      ...labelSetsOf({ ...row, sampleTypes: [sampleType], tagNames: [], tagValues: [], profiles: 0 }),
    ]),
  );
}

export const profileStats: ReaderOperation<"Empty", "GetProfileStatsResponse"> = async ({ ctx, orgId }) => {
  const nowMs = ctx.now().getTime();
  const { fromMs, toMs } = toWholeMinutes(boundedRange(0, nowMs, nowMs));
  const times = { from: new Date(fromMs), to: new Date(toMs + dayMs) };
  const [row] = await ctx.columns.query(storedSpan, { orgId, ...times });
  const isEmpty = row === undefined || row.minutes === 0;
  const ms = (seconds: number) => BigInt(seconds) * 1000n;
  return {
    dataIngested: !isEmpty,
    oldestProfileTime: isEmpty ? 0n : ms(row.first),
    newestProfileTime: isEmpty ? 0n : ms(row.last),
  };
};

export const analysis: ReaderOperation<"AnalyzeQueryRequest", "AnalyzeQueryResponse"> = async (
  reading,
  request,
) => {
  const { ctx, orgId } = reading;
  const matchers = parseSelector(request.query);
  const named = matchers.find(({ name }) => name === nameLabel || name === "__profile_type__");
  const id = named?.equals;
  const range = rangeOf(reading, request);
  const isTyped = id?.includes(":") === true;
  const times = { start: BigInt(range.fromMs), end: BigInt(range.toMs) };
  const selected = isTyped
    ? await select(ctx, orgId, {
        profileTypeID: id,
        labelSelector: matchers.filter((matcher) => matcher !== named),
        ...times,
      })
    : undefined;
  const service = serviceOf(matchers.filter(({ name }) => name === serviceLabel)) ?? "";
  const rows = await readSeries(ctx, orgId, { service, type: "", range: toWholeMinutes(range) });
  const services = selected && new Set(selected.parts.map(({ service }) => service));
  const matching = rows.filter(
    (row) =>
      (services === undefined || services.has(row.service)) &&
      [...labelSetsOf(row)].some((labels) =>
        matchers.every(
          (matcher) =>
            (isTyped && matcher.name === nameLabel) || matcher.matches(labels.get(matcher.name) ?? ""),
        ),
      ),
  );
  const profiles = matching.reduce((sum, row) => sum + row.profiles, 0);
  const scope = { componentType: "Flamekeep", componentCount: 1n, blockCount: 0n, sampleCount: 0n };
  const bytes = { indexBytes: 0n, profileBytes: 0n, symbolBytes: 0n };
  return {
    queryScopes: [
      { ...scope, ...bytes, seriesCount: BigInt(matching.length), profileCount: BigInt(profiles) },
    ],
    queryImpact: {
      totalBytesInTimeRange: 0n,
      totalQueriedSeries: BigInt(matching.length),
      deduplicationNeeded: false,
    },
  };
};

/** Pages of Pyroscope keep settings on its server: here there are none. */
export const settings: ReaderOperation<"Empty", "GetSettingsResponse"> = () => ({ settings: [] });
