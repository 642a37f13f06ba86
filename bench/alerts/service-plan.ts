import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Random } from "#random";

/** How a measured quantity behaves: its own noise, and how much of it follows the requests. */
export interface Kind {
  readonly name: string;
  /** Standard deviation of one profile, as a fraction: what the recorded profiles of examples/shop show, or more. */
  readonly noise: number;
  readonly followsTraffic: number;
}

export const kinds: readonly Kind[] = [
  { name: "cpu", noise: 0.1, followsTraffic: 0.9 },
  { name: "memory", noise: 0.06, followsTraffic: 0.2 },
  { name: "goroutine", noise: 0.05, followsTraffic: 0.4 },
  { name: "mutex", noise: 0.12, followsTraffic: 1 },
];

export interface Deploy {
  readonly kind: string;
  readonly atMs: number;
  /** When it was rolled back. */
  readonly untilMs: number;
  /** 0.3 is 30% worse; near 0 where the deploy was harmless. */
  readonly change: number;
}

export interface ServicePlan {
  readonly everyMs: number;
  readonly hasHttpMetrics: boolean;
  /** Height of the daily wave of requests. */
  readonly amplitude: number;
  readonly peakMs: number;
  readonly deploys: readonly Deploy[];
  readonly doublings: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
}

/** Events of one service within the days. */
export function planService(random: Random, days: number): ServicePlan {
  const endMs = days * dayMs;
  const cadence = random.between(0, 1);
  const everyMs = cadence < 0.6 ? minuteMs : cadence < 0.9 ? 5 * minuteMs : 15 * minuteMs;
  const spans = (count: number, hoursMin: number, hoursMax: number) =>
    Array.from({ length: count }, () => {
      const fromMs = random.between(dayMs, endMs);
      return { fromMs, toMs: fromMs + random.between(hoursMin, hoursMax) * hourMs };
    });
  return {
    everyMs,
    hasHttpMetrics: random.isTrue(0.8),
    amplitude: random.between(0.1, 0.6),
    peakMs: random.between(0, dayMs),
    deploys: planDeploys(random, endMs),
    doublings: spans(Math.round(days / 15), 2, 8),
    gaps: spans(Math.round(days / 15), 0.5, 8),
  };
}

/** Every other deploy makes one thing 10 to 100% worse, until it is rolled back; the others change little. */
function planDeploys(random: Random, endMs: number): Deploy[] {
  const deploys: Deploy[] = [];
  for (
    let atMs = random.between(1, 3) * dayMs;
    atMs < endMs - dayMs;
    atMs += random.between(2.5, 4.5) * dayMs
  ) {
    const isRegression = random.isTrue(0.5);
    const kind = kinds[Math.floor(random.between(0, kinds.length))]!.name;
    const change = isRegression ? random.between(0.1, 1) : random.between(-0.05, 0.05);
    deploys.push({ kind, atMs, untilMs: atMs + random.between(18, 36) * hourMs, change });
  }
  return deploys;
}
