import type { FailureCode, Sender, SenderInstance, SenderKey, StoredType } from "@flamekeep/contract";
import { limits } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { SenderService } from "#store/profiles/sending/sender-states.ts";
import type { SeriesRow } from "./queries.ts";

/** @param received one number for each bucket */
export function toSender(
  { service, state, sinceMs, types }: SenderService,
  received: readonly number[],
  series: readonly SeriesRow[],
): Sender {
  const names = new Set(series.map(({ instance }) => instance).filter((name) => name !== ""));
  return {
    service,
    state,
    since: sinceMs === null ? null : iso(sinceMs),
    last_received_at: iso(
      Math.max(...types.map((each) => each.receivedMs), ...series.map((each) => each.receivedMs)),
    ),
    types: types
      .toSorted((a, b) => (a.type < b.type ? -1 : 1))
      .map((each) => ({
        type: each.type as StoredType,
        last_profile_at: iso(each.latestMs),
        state: each.state,
      })),
    interval_seconds: shortestInterval(series),
    received: [...received],
    instances: Math.min(names.size, limits.senderInstancesMax),
    ...senderFacts(series),
  };
}

/** The instances that stopped last come first, then those that send. */
export function toInstances(series: readonly SeriesRow[]): SenderInstance[] {
  return [...Map.groupBy(series, ({ instance }) => instance)].map(([name, own]) => ({
    name: name === "" ? null : name,
    types: own
      .toSorted((a, b) => (a.type < b.type ? -1 : 1))
      .map(({ type, startedMs, intervalMs }) => ({
        type: type as StoredType,
        last_profile_at: iso(startedMs),
        interval_seconds: intervalMs > 0 ? intervalMs / 1000 : null,
      })),
    last_received_at: iso(Math.max(...own.map(({ receivedMs }) => receivedMs))),
    profiles: own.reduce((sum, { profiles }) => sum + profiles, 0),
    ...senderFacts(own),
  }));
}

function senderFacts(
  series: readonly SeriesRow[],
): Pick<Sender, "key_ids" | "dropped_tags" | "clock_error_seconds"> {
  const names = new Set(
    series.flatMap(({ droppedNames }) => droppedNames.flatMap((text) => text.split("\n"))),
  );
  const count = Math.max(0, ...series.map(({ dropped }) => dropped));
  return {
    key_ids: [...new Set(series.flatMap(({ keyIds }) => keyIds))].sort(),
    dropped_tags: count === 0 ? null : { count, names: [...names].slice(0, droppedNamesMax) },
    clock_error_seconds: clockErrorSeconds(series),
  };
}

const droppedNamesMax = 40;

/** Profiles of an import arrive together, long after their ends. */
const arrivalMsMin = 10 * minuteMs;

/** HTTP metrics wait for their batch, so that their delay says nothing about the clock. */
function clockErrorSeconds(series: readonly SeriesRow[]): number | null {
  const delays = series
    .filter((row) => row.type !== "metrics" && row.receivedMs - row.firstReceivedMs >= arrivalMsMin)
    .map(({ delayMs }) => delayMs);
  return delays.length === 0 ? null : Math.min(...delays) / 1000;
}

/** The interval of the type that is sent most often. Batches of HTTP metrics count where nothing else is sent. */
function shortestInterval(all: readonly SeriesRow[]): number | null {
  const ofProfiles = all.filter(({ type }) => type !== "metrics");
  const series = ofProfiles.length === 0 ? all : ofProfiles;
  const medians = [
    ...Map.groupBy(
      series.filter(({ intervalMs }) => intervalMs > 0),
      ({ type }) => type,
    ).values(),
  ].map((own) => own.map(({ intervalMs }) => intervalMs).sort((a, b) => a - b)[Math.floor(own.length / 2)]!);
  return medians.length === 0 ? null : Math.min(...medians) / 1000;
}

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly isActive: 0 | 1;
  readonly expiresAt: string | null;
}

interface RejectionRow {
  readonly keyId: string;
  readonly code: string;
  readonly count: number;
  readonly lastAt: string;
  readonly lastMessage: string;
}

export function toKey(key: KeyRow, rejections: readonly RejectionRow[], now: Date): SenderKey {
  const own = rejections.filter(({ keyId }) => keyId === key.id);
  const groups = [...Map.groupBy(own, ({ code }) => code)].map(([code, ofCode]) => {
    const latest = ofCode.reduce((a, b) => (a.lastAt > b.lastAt ? a : b));
    return {
      code: code as FailureCode,
      count: sumOf(ofCode),
      last_at: latest.lastAt,
      last_message: latest.lastMessage,
    };
  });
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    is_active: key.isActive === 1 && (key.expiresAt === null || Date.parse(key.expiresAt) > now.getTime()),
    rejected: sumOf(own),
    rejections: groups.sort((a, b) => b.count - a.count || a.code.localeCompare(b.code)),
  };
}

export function sumOf(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
