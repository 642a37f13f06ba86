import { minuteMs } from "@flamekeep/contract/durations";
import type { Random } from "#random";
import { wander } from "./signals.ts";
import type { Faults, Regression, Signal, Story } from "./story.ts";

/** A profile as the server gets it. */
export interface Point {
  readonly atMs: number;
  readonly value: number;
  readonly instance: number;
  readonly version: string;
}

/** The profiles of one signal in the order of their minutes; instances take turns within `everyMs`. */
export function pointsOf(story: Story, signal: Signal, traffic: Float64Array, random: Random): Point[] {
  const points: Point[] = [];
  const drift = wander(random, traffic.length, signal.wander);
  const changes = [...story.regressions, ...(story.harmless ?? [])];
  const every = story.everyMs / minuteMs;
  const instances = Array.from({ length: story.instances }, (_, index) => ({
    index,
    level: 1 + (story.faults?.spread ?? 0) * random.between(-1, 1),
    skewMs: (story.faults?.skewMs ?? 0) * random.between(-1, 1),
  }));
  for (let minute = 0; minute < traffic.length; minute++) {
    const ms = minute * minuteMs;
    const use =
      (1 - signal.follows + signal.follows * traffic[minute]!) ** (signal.power ?? 1) * drift[minute]!;
    for (const { index, level, skewMs } of instances) {
      if ((minute + index) % every !== 0 || ms < (signal.beginsMs ?? 0) || isSilent(story.faults, ms))
        continue;
      if (story.runs?.(index, ms, traffic[minute]!) === false) continue;
      const share = restartShare(story.faults, index, ms);
      if (share === 0) continue;
      const change = changedBy(changes, signal.name, index, ms);
      const value = signal.level * use * level * share * change * signal.noise(random);
      points.push({ atMs: ms + skewMs, value, instance: index, version: versionAt(story, index, ms) });
    }
  }
  return points;
}

function changedBy(changes: readonly Regression[], signal: string, instance: number, ms: number): number {
  let factor = 1;
  for (const each of changes) {
    const isHere = each.signal === signal && ms >= each.atMs && ms < each.untilMs;
    if (isHere && each.instances?.includes(instance) !== false) factor *= each.factor(ms - each.atMs);
  }
  return factor;
}

function isSilent(faults: Faults | undefined, ms: number): boolean {
  return faults?.silent.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs) ?? false;
}

function restartShare(faults: Faults | undefined, instance: number, ms: number): number {
  const since = faults?.restarts.find(
    (each) => each.instance === instance && ms >= each.atMs && ms < each.atMs + 20 * minuteMs,
  );
  if (since === undefined) return 1;
  return ms < since.atMs + 10 * minuteMs ? 0 : 0.5;
}

function versionAt({ releases }: Story, instance: number, ms: number): string {
  const now = releases.findLast((each) => ms >= each.atMs && each.instances?.includes(instance) !== false);
  return now?.version ?? "1";
}
