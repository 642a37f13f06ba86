import { limits, storedTypeOf } from "@flamekeep/contract";
import type { Context } from "#context";
import { unprocessable } from "#failure";
import type { LabelFilter } from "#http/query/label-filter.ts";
import type { TagChoices } from "#http/query/tag-filter.ts";
import { boundedRange, separateMinutes, type TimeRange, toWholeMinutes } from "#http/query/time-range.ts";
import { readLabelValues } from "#stacks/ranges/label-values.ts";
import type { MergeRange } from "#stacks/ranges/requested-range.ts";
import { type NamedType, parseProfileTypeId } from "./profile-type-ids.ts";
import { type SeriesRow, seriesOfRange, typesOfServices } from "./queries.ts";
import { type Matcher, parseSelector } from "./selector.ts";
import { matchesAll, serviceLabel, typeLabels } from "./series-labels.ts";

/** Sets of labels that one query may look through. */
const seriesMax = 20_000;
const servicesMax = limits.countedServicesMax;
/** Combinations of values of sample labels, of a service and of all. */
const [combinationsMax, partsMax] = [50, 200];

export interface SelectRequest {
  readonly profileTypeID: string;
  readonly labelSelector: string | readonly Matcher[];
  readonly start: bigint;
  readonly end: bigint;
}

/** The profiles of one service that a query selects, and of their samples those with the labels. */
interface SelectedPart extends TagChoices {
  readonly service: string;
  readonly labels: LabelFilter | undefined;
}

export interface Selection {
  readonly orgId: string;
  readonly named: NamedType;
  /** As requested, and not after now. */
  readonly range: TimeRange;
  readonly parts: readonly SelectedPart[];
}

/** Unix milliseconds. Throws `invalid` for an empty range. */
export function requestedTimes({ start, end }: { start: bigint; end: bigint }, now: Date): TimeRange {
  return boundedRange(Number(start), Number(end), now.getTime(), "start and end in Unix milliseconds");
}

/** The profiles that a type and a selector name. Throws for those that cannot be read, and for too many services. */
export async function select(ctx: Context, orgId: string, request: SelectRequest): Promise<Selection> {
  const named = parseProfileTypeId(request.profileTypeID);
  const { labelSelector } = request;
  const matchers = typeof labelSelector === "string" ? parseSelector(labelSelector) : labelSelector;
  const range = requestedTimes(request, ctx.now());
  const ofType = typeLabels(named);
  const own = matchers.filter(({ name }) => ofType.has(name));
  const ofService = matchers.filter(({ name }) => name === serviceLabel);
  const others = matchers.filter(({ name }) => !ofType.has(name) && name !== serviceLabel);
  const scope = { ctx, orgId, named, range };
  if (!matchesAll(own, ofType)) return { orgId, named, range, parts: [] };
  const parts =
    others.length === 0 ? await wholeServices(scope, ofService) : await partsWith(scope, ofService, others);
  return { orgId, named, range, parts };
}

function refuseMany(services: number): void {
  if (services <= servicesMax) return;
  throw unprocessable(
    `The label selector matches ${services} services, and at most ${servicesMax} are added up. Narrow it, for example with service_name.`,
  );
}

interface Scope extends Omit<Selection, "parts"> {
  readonly ctx: Context;
}

const noTags: TagChoices = { tagNames: [], tagValues: [] };

async function wholeServices(scope: Scope, matchers: readonly Matcher[]): Promise<SelectedPart[]> {
  const only = serviceOf(matchers);
  if (only !== undefined && matchers.every((matcher) => matcher.matches(only)))
    return [{ service: only, ...noTags, labels: undefined }];
  const { ctx, orgId, named } = scope;
  const rows = await ctx.columns.query(typesOfServices, {
    orgId,
    service: only ?? "",
    ...minutesOf(scope.range),
  });
  const services = rows
    .filter(
      ({ type, sampleTypes }) => type === storedTypeOf(named.type) && sampleTypes.includes(named.sampleType),
    )
    .map(({ service }) => service)
    .filter((service) => matchers.every((matcher) => matcher.matches(service)));
  refuseMany(services.length);
  return services.sort().map((service) => ({ service, ...noTags, labels: undefined }));
}

async function partsWith(
  scope: Scope,
  ofService: readonly Matcher[],
  others: readonly Matcher[],
): Promise<SelectedPart[]> {
  const rows = await readSeries(scope.ctx, scope.orgId, {
    service: serviceOf(ofService) ?? "",
    type: storedTypeOf(scope.named.type),
    range: toWholeMinutes(scope.range),
  });
  const selected = rows.filter(
    ({ service, sampleTypes }) =>
      sampleTypes.includes(scope.named.sampleType) && ofService.every((matcher) => matcher.matches(service)),
  );
  const byService = [...Map.groupBy(selected, ({ service }) => service)].sort(([a], [b]) => (a < b ? -1 : 1));
  const tagged = byService.flatMap(([service, ofRow]) => taggedPart(service, ofRow, others) ?? []);
  // Before the labels of each service are read.
  refuseMany(tagged.length);
  const parts: SelectedPart[] = [];
  for (const { labels, ...part } of tagged) {
    const filters = labels.length === 0 ? [undefined] : await labelFilters(scope, part, labels);
    parts.push(...filters.map((filter) => ({ ...part, labels: filter })));
    if (parts.length > partsMax)
      throw unprocessable(
        `The label selector matches more than ${partsMax} values of labels of samples over all services: name fewer values, or a service with service_name.`,
      );
  }
  return parts;
}

/** The service that the matchers of it name; undefined if they do not. */
export function serviceOf(matchers: readonly Matcher[]): string | undefined {
  return matchers.find(({ equals }) => equals !== undefined && equals !== "")?.equals;
}

interface TaggedPart extends TagChoices {
  readonly service: string;
  /** The matchers of each name that is not a tag: of a label of samples, or of nothing. */
  readonly labels: readonly (readonly Matcher[])[];
}

/** Undefined if no profile of the service has the tags. */
function taggedPart(
  service: string,
  rows: readonly SeriesRow[],
  matchers: readonly Matcher[],
): TaggedPart | undefined {
  const tagNames: string[] = [];
  const tagValues: string[][] = [];
  const labels: Matcher[][] = [];
  for (const [name, ofName] of Map.groupBy(matchers, (matcher) => matcher.name)) {
    if (!rows.some((row) => row.tagNames.includes(name))) {
      labels.push(ofName);
      continue;
    }
    const values = [...new Set(rows.map((row) => row.tagValues[row.tagNames.indexOf(name)] ?? ""))];
    const accepted = values.filter((value) => ofName.every((matcher) => matcher.matches(value)));
    if (accepted.length === 0) return undefined;
    if (accepted.length === values.length) continue;
    tagNames.push(name);
    tagValues.push(accepted);
  }
  return { service, tagNames, tagValues, labels };
}

/** The combinations of values that labels of samples may have; one without a filter if all samples match. */
async function labelFilters(
  { ctx, orgId, named, range }: Scope,
  part: TagChoices & { readonly service: string },
  matchers: readonly (readonly Matcher[])[],
): Promise<(LabelFilter | undefined)[]> {
  const { sampleType } = named;
  const type = storedTypeOf(named.type);
  const keys = await readLabelValues(ctx.columns, {
    orgId,
    type: type as MergeRange["type"],
    sampleType,
    ...part,
    ...minutesOf(range),
  });
  let filters: LabelFilter[] = [{ labelNames: [], labelValues: [] }];
  for (const ofName of matchers) {
    const { name } = ofName[0]!;
    const key = keys.find((each) => each.key === name);
    // The empty value is for samples without the label.
    const known = ["", ...(key?.values ?? []).map(({ value }) => value)];
    const values = known.filter((value) => ofName.every((matcher) => matcher.matches(value)));
    // Values that a limit removed are in no selection, but are not samples without the label either.
    if (values.length === known.length && key?.folded === undefined) continue;
    filters = filters.flatMap(({ labelNames, labelValues }) =>
      values.map((value) => ({ labelNames: [...labelNames, name], labelValues: [...labelValues, value] })),
    );
    if (filters.length > combinationsMax)
      throw unprocessable(
        `The label selector matches more than ${combinationsMax} values of labels of samples: name fewer of ${name.slice(0, 100)}.`,
      );
  }
  return filters.map((filter) => (filter.labelNames.length === 0 ? undefined : filter));
}

interface SeriesScope {
  /** Empty means all. */
  readonly service: string;
  readonly type: string;
  readonly range: TimeRange;
}

/** Every service, type and set of tags of a range. Throws if there are too many. */
export async function readSeries(
  { columns }: Context,
  orgId: string,
  { service, type, range }: SeriesScope,
): Promise<SeriesRow[]> {
  const rows = await columns.query(seriesOfRange, {
    orgId,
    service,
    type,
    from: new Date(range.fromMs),
    to: new Date(range.toMs),
    rowsMax: seriesMax + 1,
  });
  if (rows.length > seriesMax)
    throw unprocessable(
      `There are more than ${seriesMax} sets of labels in this range: choose a shorter one, or name a service with service_name.`,
    );
  return rows;
}

/** The two sides of a comparison, in whole minutes: no profile is on both because its minute is in both ranges. */
export function separated(left: Selection, right: Selection): [Selection, Selection] {
  const [leftRange, rightRange] = separateMinutes(left.range, right.range);
  return [
    { ...left, range: leftRange },
    { ...right, range: rightRange },
  ];
}

function minutesOf(range: TimeRange): { from: Date; to: Date } {
  const { fromMs, toMs } = toWholeMinutes(range);
  return { from: new Date(fromMs), to: new Date(toMs) };
}

/** The profiles to merge, in whole minutes as every merged graph. */
export function mergeRanges({ orgId, named, range, parts }: Selection): MergeRange[] {
  return parts.map(({ labels, ...part }) => ({
    orgId,
    type: storedTypeOf(named.type) as MergeRange["type"],
    ...part,
    ...minutesOf(range),
    ...(labels !== undefined && { labels }),
  }));
}

/** The selection for queries of profiles. Services with the same tags and labels are read together. */
export function queriesOf({ orgId, named, range, parts }: Selection) {
  const times = { from: new Date(range.fromMs), to: new Date(range.toMs) };
  const scope = { orgId, type: storedTypeOf(named.type), sampleType: named.sampleType, ...times };
  const choices = [...Map.groupBy(parts, ({ service }) => service)].map(([service, ofService]) => ({
    service,
    selects: {
      tagNames: ofService[0]!.tagNames,
      tagValues: ofService[0]!.tagValues,
      labelNames: ofService[0]!.labels?.labelNames ?? [],
      labelChoices: ofService.map(({ labels }) => labels?.labelValues ?? []),
    },
  }));
  return [...Map.groupBy(choices, ({ selects }) => JSON.stringify(selects)).values()].map((some) => ({
    ...scope,
    ...some[0]!.selects,
    services: some.map(({ service }) => service),
  }));
}
