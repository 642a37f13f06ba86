import type { FailureCode, KeyUsage } from "@flamekeep/contract";

interface UsageRow {
  readonly day: string;
  readonly profiles: number;
  readonly bytes: number;
}

interface RefusalRow {
  readonly day: string;
  readonly code: string;
  readonly count: number;
  readonly lastAt: string;
  readonly lastMessage: string;
}

/** Sums the rows of a key by day and by code. */
export function presentUsage(
  since: string,
  usage: readonly UsageRow[],
  refused: readonly RefusalRow[],
): KeyUsage {
  const days = [...new Set([...usage, ...refused].map(({ day }) => day))].toSorted().map((day) => {
    const { profiles = 0, bytes = 0 } = usage.find((row) => row.day === day) ?? {};
    return { day, profiles, bytes, refused: total(refused.filter((row) => row.day === day)) };
  });
  return {
    since,
    profiles: days.reduce((sum, { profiles }) => sum + profiles, 0),
    bytes: days.reduce((sum, { bytes }) => sum + bytes, 0),
    refused: total(refused),
    days,
    refusals: byCode(refused),
  };
}

function byCode(rows: readonly RefusalRow[]): KeyUsage["refusals"] {
  const groups = [...Map.groupBy(rows, ({ code }) => code)].map(([code, ofCode]) => {
    const latest = ofCode.reduce((a, b) => (a.lastAt > b.lastAt ? a : b));
    return {
      code: code as FailureCode,
      count: total(ofCode),
      last_at: latest.lastAt,
      last_message: latest.lastMessage,
    };
  });
  return groups.toSorted((a, b) => b.count - a.count || a.code.localeCompare(b.code));
}

function total(rows: readonly RefusalRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}
