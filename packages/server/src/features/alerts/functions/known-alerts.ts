import { hourMs } from "@flamekeep/contract/durations";
import type { Span } from "#alerts/detect/series/series.ts";
import type { ObservedSeries } from "#alerts/detect/watched/observed.ts";
import { FunctionReference, functionPattern, sampleTypeOfFunctions } from "#alerts/row/function-series.ts";
import { type AlertRow, alertsOf } from "#alerts/row/stored-alert.ts";
import type { RowStore } from "#store/row/row-store.ts";

export interface OpenFunctions {
  readonly row: AlertRow;
  readonly reference: FunctionReference;
}

/** The alerts of a series, as far as they matter for its functions. */
export interface KnownOfSeries {
  /** Alerts about its functions. */
  readonly open: readonly OpenFunctions[];
  /** The newest rise of each function that lasted and is over: a regression, not a habit. */
  readonly ended: ReadonlyMap<string, Span>;
  /** The parts of the service that somebody marked as expected, by function. */
  readonly accepted: ReadonlyMap<string, number>;
  /** The alert about the series as a whole. Since it began, functions have other parts of it. */
  readonly total: { readonly isOpen: boolean; readonly sinceMs: number };
}

type SeriesName = Pick<ObservedSeries, "service" | "type" | "sampleType">;

/** A shorter rise may be a job. */
const lastedMs = 6 * hourMs;

/** The alerts of an organization that are open, or were marked as expected since this time, and those about functions since then. */
export async function knownAlerts(rows: RowStore, orgId: string, since: Date) {
  const expected = rows
    .selectFrom("alertHandling")
    .select("alertId")
    .where("orgId", "=", orgId)
    .where("expectedAt", ">", since.toISOString());
  const alerts = await alertsOf(rows, orgId)
    .where("ruleId", "is", null)
    .where((is) =>
      is.or([
        is("resolvedAt", "is", null),
        is("id", "in", expected),
        is.and([is("sampleType", "like", functionPattern), is("resolvedAt", ">", since.toISOString())]),
      ]),
    )
    .orderBy("openedAt")
    .execute();
  const expectedIds = new Set((await expected.execute()).map(({ alertId }) => alertId));
  return {
    openFunctions: alerts.filter(
      ({ sampleType, resolvedAt }) => resolvedAt === null && sampleTypeOfFunctions(sampleType) !== undefined,
    ),
    of: (series: SeriesName): KnownOfSeries => knownOf(alerts, expectedIds, series),
  };
}

function knownOf(
  alerts: readonly AlertRow[],
  expectedIds: ReadonlySet<string>,
  { service, type, sampleType }: SeriesName,
): KnownOfSeries {
  const ofSeries = alerts.filter((each) => each.service === service && each.type === type);
  const functions = ofSeries
    .filter((each) => sampleTypeOfFunctions(each.sampleType) === sampleType)
    .map((row) => ({ row, reference: FunctionReference.parse(JSON.parse(row.reference)) }));
  const totals = ofSeries.filter((each) => each.sampleType === sampleType);
  const accepted = functions.filter(({ row }) => expectedIds.has(row.id));
  const ended = functions.filter(({ row }) => row.resolvedAt !== null && !expectedIds.has(row.id));
  return {
    open: functions.filter(({ row }) => row.resolvedAt === null),
    accepted: new Map(
      accepted.flatMap(({ reference }) => reference.risen.map(({ key, after }) => [key, after] as const)),
    ),
    ended: new Map(
      ended.flatMap(({ row, reference }) => {
        const span = { fromMs: Date.parse(row.beganAt ?? row.openedAt), toMs: Date.parse(row.resolvedAt!) };
        return span.toMs - span.fromMs < lastedMs
          ? []
          : reference.risen.map(({ key }) => [key, span] as const);
      }),
    ),
    total: {
      isOpen: totals.some(({ resolvedAt }) => resolvedAt === null),
      sinceMs: Math.max(0, ...totals.map(({ beganAt, openedAt }) => Date.parse(beganAt ?? openedAt))),
    },
  };
}
