import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Span } from "#alerts/detect/series/series.ts";
import { measureOf, watchedSeries } from "#alerts/detect/watched/measure.ts";
import type { ObservedSeries } from "#alerts/detect/watched/observed.ts";
import type { Changes } from "#alerts/rules/evaluate-rules.ts";
import { recordOpened, recordResolved } from "#alerts/store/record-change.ts";
import type { Context } from "#context";
import { readRolledHours } from "#store/column/read/stack-totals.ts";
import { hasSender } from "#store/profiles/sent-profiles.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { describeFunctions, type RisenFigure } from "./describe-functions.ts";
import { comparableEnds, hasFallen, learntHours, ratioMin, shiftOf } from "./function-shift.ts";
import { knownAlerts } from "./known-alerts.ts";
import { rolledSeries } from "./queries.ts";
import { figuresOf, seriesHours, suspectsOf } from "./read-functions.ts";

/** A series without the newest hour in the roll-up had no profile then. */
const awaitedMs = 30 * minuteMs;
/** The alerts of a series that sent nothing for so long are over. */
const goneMs = dayMs;

/** The progress of an organization. A restart forgets it: the hour is judged again, and its alerts are open already. */
interface Progress {
  /** The end of the newest hour that was judged, by series. */
  readonly judged: Map<string, number>;
  /** The end of the newest hour in which alerts of silent series were resolved. */
  resolvedGoneMs: number;
}

const progress = new WeakMap<Context["rows"], Map<string, Progress>>();

function progressOf({ rows }: Context, orgId: string): Progress {
  const ofOrganizations = progress.get(rows) ?? new Map<string, Progress>();
  const own = ofOrganizations.get(orgId) ?? { judged: new Map(), resolvedGoneMs: 0 };
  progress.set(rows, ofOrganizations.set(orgId, own));
  return own;
}

/**
 * Limits the time that reading functions takes in a round, of all organizations. Evaluations are five minutes apart, so that this is about a
 * second and a half of each minute: the look that is begun last ends later. Series for which it does not suffice are first in the next round.
 */
export class ReadingBudget {
  #leftMs = 7500;

  get isSpent(): boolean {
    return this.#leftMs <= 0;
  }

  async spend<T>(read: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await read();
    } finally {
      this.#leftMs -= performance.now() - startedAt;
    }
  }
}

interface RoundOptions {
  readonly budget: ReadingBudget;
  /** Ends it before the next series. */
  readonly stopped: AbortSignal | undefined;
  /** A series that cannot be judged waits for the next hour. */
  readonly failed: (error: unknown, series: SeriesName) => void;
}

/**
 * Opens alerts about functions that rose while their service did not, and resolves those that fell again. Each series once an hour.
 *
 * @param series all of the organization that were read
 */
export async function evaluateFunctions(
  ctx: Context,
  orgId: string,
  { series, toMs }: { readonly series: readonly ObservedSeries[]; readonly toMs: number },
  { budget, stopped, failed }: RoundOptions,
): Promise<Changes> {
  const done: Changes = { opened: 0, resolved: 0 };
  const hourEndMs = Math.floor(toMs / hourMs) * hourMs;
  const own = progressOf(ctx, orgId);
  const readKnown = () => knownAlerts(ctx.rows, orgId, new Date(hourEndMs - learntHours * hourMs));
  // First, because an organization may have no other series.
  if (own.resolvedGoneMs < hourEndMs) {
    own.resolvedGoneMs = hourEndMs;
    done.resolved += await resolveGone(ctx, orgId, series, { hourEndMs, known: await readKnown() });
  }
  const ready = await readySeries(ctx, orgId, { series, toMs, hourEndMs }, own);
  if (ready.length === 0) return done;
  const known = await readKnown();
  for (const each of ready) {
    if (budget.isSpent || stopped?.aborted) break;
    // Before it is judged: a series that fails must not be the first again.
    own.judged.set(keyOf(each), hourEndMs);
    try {
      const changes = await budget.spend(() => judge(ctx, orgId, each, { hourEndMs, known }));
      done.opened += changes.opened;
      done.resolved += changes.resolved;
    } catch (error) {
      // All others would fail as well.
      if (error instanceof StoreUnavailable) throw error;
      const { service, type, sampleType } = each;
      failed(error, { service, type, sampleType });
    }
  }
  return done;
}

/** The series whose newest hour is rolled up and not judged, those first that wait longest. Forgets series that are gone. */
async function readySeries(
  ctx: Context,
  orgId: string,
  round: { readonly series: readonly ObservedSeries[]; readonly toMs: number; readonly hourEndMs: number },
  { judged }: Progress,
): Promise<ObservedSeries[]> {
  const { toMs, hourEndMs } = round;
  const watched = round.series.filter(isWatched);
  const present = new Set(watched.map(keyOf));
  for (const key of judged.keys()) if (!present.has(key)) judged.delete(key);
  const judgedAt = (each: ObservedSeries) => judged.get(keyOf(each)) ?? 0;
  const due = watched.filter((each) => judgedAt(each) < hourEndMs);
  if (due.length === 0) return [];
  const rolled = await ctx.columns.query(rolledSeries, { orgId, hour: (hourEndMs - hourMs) / 1000 });
  const isRolled = new Set(rolled.map(({ service, type }) => JSON.stringify([service, type])));
  const ready = due.filter(({ service, type }) => isRolled.has(JSON.stringify([service, type])));
  const isLate = toMs >= hourEndMs + awaitedMs;
  for (const each of due) if (isLate && !ready.includes(each)) judged.set(keyOf(each), hourEndMs);
  return ready.toSorted((a, b) => judgedAt(a) - judgedAt(b));
}

type SeriesName = Pick<ObservedSeries, "service" | "type" | "sampleType">;

function keyOf({ service, type, sampleType }: SeriesName): string {
  return JSON.stringify([service, type, sampleType]);
}

/** Waiting comes in lumps, and custom types are the program's own: only what every service has. */
function isWatched({ type, sampleType }: ObservedSeries): boolean {
  return (
    type !== "mutex" &&
    type !== "block" &&
    watchedSeries.some((each) => each.type === type && each.sampleType === sampleType && !each.isFault)
  );
}

interface Round {
  /** The end of the newest hour. */
  readonly hourEndMs: number;
  readonly known: Awaited<ReturnType<typeof knownAlerts>>;
}

async function judge(
  ctx: Context,
  orgId: string,
  series: ObservedSeries,
  { hourEndMs, known }: Round,
): Promise<Changes> {
  const { open, accepted, ended, total } = known.of(series);
  const fromMs = Math.max(hourEndMs - learntHours * hourMs, Math.ceil(total.sinceMs / hourMs) * hourMs);
  const hours = await seriesHours(ctx, orgId, series, { fromMs, toMs: hourEndMs });
  const { level } = hours;
  // An alert about the whole series names the functions that explain it.
  const ends = total.isOpen ? [] : comparableEnds(level);
  const openKeys = new Set(open.flatMap(({ reference }) => reference.risen.map(({ key }) => key)));
  const all = ends.length === 0 ? [] : await suspectsOf(ctx, hours, ends);
  const suspects = all.filter(({ key }) => !openKeys.has(key));
  const watched = [...suspects, ...open.flatMap(({ reference }) => reference.risen)];
  if (watched.length === 0) return { opened: 0, resolved: 0 };
  const names = watched.map(({ name }) => name);
  const { functions, totals, sample } = await figuresOf(ctx, hours, names);
  const byKey = new Map(functions.map((each) => [each.key, each]));
  let resolved = 0;
  for (const { row, reference } of open) {
    const isOver = reference.risen.every(({ key, figure, ...rise }) => {
      const values = byKey.get(key)?.[figure] ?? new Float64Array(level.length);
      return hasFallen(values, { level, totals }, { ...rise, level: reference.level });
    });
    if (isOver && (await recordResolved(ctx.rows, row, iso(hourEndMs), ctx.now()))) resolved++;
  }
  const { riseMin } = measureOf(series.type, series.sampleType);
  const risen = suspects.flatMap(({ key, figure }): RisenFigure[] => {
    const hourly = byKey.get(key);
    const span = ended.get(key);
    const values =
      hourly && (span === undefined ? hourly[figure] : without(hourly[figure], hours.firstMs, span));
    const shift = values && shiftOf(values, { level, totals, sample, riseMin }, ends);
    if (hourly === undefined || shift === undefined) return [];
    return shift.after < ratioMin * (accepted.get(key) ?? 0) ? [] : [{ ...shift, figure, hourly }];
  });
  const { service, type } = series;
  const day = { from: new Date(hourEndMs - goneMs), to: new Date(hourEndMs) };
  if (risen.length === 0 || !(await hasSender(ctx.columns, { orgId, service, type, ...day })))
    return { opened: 0, resolved };
  const alert = await describeFunctions(ctx, series, { hours, totals, ends, risen, atMs: hourEndMs });
  return { opened: (await recordOpened(ctx.rows, alert, ctx.now())) ? 1 : 0, resolved };
}

/** The values without those of a span, as if nothing were known of it. */
function without(values: Float64Array, firstMs: number, { fromMs, toMs }: Span): Float64Array {
  return values.map((value, index) => {
    const endMs = firstMs + (index + 1) * hourMs;
    return endMs > fromMs && endMs - hourMs < toMs ? Number.NaN : value;
  });
}

/** Resolves the alerts of series that were not read, because they sent nothing for a day. */
async function resolveGone(
  ctx: Context,
  orgId: string,
  series: readonly ObservedSeries[],
  { hourEndMs, known }: Round,
): Promise<number> {
  let resolved = 0;
  for (const row of known.openFunctions) {
    const { service, type } = row;
    if (series.some((each) => each.service === service && each.type === type)) continue;
    const day = { from: new Date(hourEndMs - goneMs), to: new Date(hourEndMs) };
    const rolled = await readRolledHours(ctx.columns, { orgId, service, type, ...day });
    if (rolled.length > 0) continue;
    if (await recordResolved(ctx.rows, row, iso(hourEndMs), ctx.now())) resolved++;
  }
  return resolved;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
