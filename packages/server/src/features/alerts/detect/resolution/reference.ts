import { hourMs } from "@flamekeep/contract/durations";
import { expectedFactor } from "#alerts/detect/opening/first-days.ts";
import type { Scope } from "#alerts/detect/watched/observed.ts";

/** The values that an open alert is compared with, because the windows before now already include the regression. */
export interface Reference {
  /** When it opened. */
  readonly atMs: number;
  /** The expected value then. */
  readonly previous: number;
  /** Requests per minute then; undefined if they are not counted. */
  readonly requests: number | undefined;
  readonly usual: UsualDay;
  /** When the rise began; undefined if that is not known. */
  readonly beganMs?: number | undefined;
  /** How large it was; undefined in alerts that opened before this was kept. */
  readonly increase?: number | undefined;
  /** Growth of an hour as a fraction, if values kept growing. */
  readonly perHour?: number | undefined;
  /** The usual time between restarts, if values grow between them. */
  readonly restartsEveryMs?: number | undefined;
  readonly scope?: Scope | undefined;
}

/** Medians by hour of the day (UTC) over the week before an alert began, 24 each; null for hours without values. */
export interface UsualDay {
  readonly values: readonly (number | null)[];
  /** Requests per minute. */
  readonly requests: readonly (number | null)[];
}

export const noUsualDay: UsualDay = { values: [], requests: [] };

/** The smallest ratio of most to least requests per minute in a day that allows a regression over them. */
const movementMin = 1.2;
const hoursMin = 6;

/** The expected value at this time without a regression: by requests if they are known, else by the hour of the day. */
export function expectedSince(reference: Reference, atMs: number, requests: number | undefined): number {
  const { previous, usual } = reference;
  const more =
    reference.requests === undefined || reference.requests <= 0 || requests === undefined
      ? undefined
      : requests / reference.requests;
  const exponent = more === undefined ? undefined : elasticity(usual);
  if (more !== undefined && exponent !== undefined) return previous * more ** exponent;
  const then = usual.values[hourOf(reference.atMs)] ?? 0;
  const now = usual.values[hourOf(atMs)] ?? 0;
  const change = then > 0 && now > 0 ? { change: now / then, isReliable: true } : undefined;
  return previous * expectedFactor({ usual: change, requests: more, usualRequests: undefined });
}

/**
 * How much of a change in requests a service follows, 0 (not at all) to 1 (in proportion): the slope of its values
 * over its requests through the hours of a day, both as logarithms. Undefined if the day has too few hours, or requests that hardly change.
 */
export function elasticity({ values, requests }: UsualDay): number | undefined {
  const hours = values.flatMap((value, hour) => {
    const perMinute = requests[hour] ?? 0;
    return value !== null && value > 0 && perMinute > 0
      ? [[Math.log(perMinute), Math.log(value)] as const]
      : [];
  });
  if (hours.length < hoursMin) return undefined;
  const xs = hours.map(([x]) => x);
  if (Math.max(...xs) - Math.min(...xs) < Math.log(movementMin)) return undefined;
  const meanX = xs.reduce((sum, x) => sum + x, 0) / hours.length;
  const meanY = hours.reduce((sum, [, y]) => sum + y, 0) / hours.length;
  const covariance = hours.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const variance = hours.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return Math.min(1, Math.max(0, covariance / variance));
}

function hourOf(ms: number): number {
  return Math.floor(ms / hourMs) % 24;
}
