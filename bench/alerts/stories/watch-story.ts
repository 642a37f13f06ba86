import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { emptySeries, toSeries } from "@flamekeep/server/alerts/detect/series.ts";
import type { Random } from "#random";
import { watch } from "#watch";
import type { Alert } from "./alert.ts";
import { pointsOf } from "./points.ts";
import type { Story } from "./story.ts";

/** Every alert about the service of the story, by time. Services of stories send no HTTP metrics. */
export function watchStory(story: Story, random: Random): Alert[] {
  const minutes = Math.ceil((story.days * dayMs) / minuteMs);
  const traffic = story.traffic(random, minutes);
  const all = story.signals.map((signal) => {
    const points = pointsOf(story, signal, traffic, random);
    return { signal, values: toSeries(points.map(({ atMs, value }): [number, number] => [atMs, value])) };
  });
  return all
    .flatMap(({ signal, values }) => {
      const siblings = all.flatMap((other) => (other.signal === signal ? [] : [other.values]));
      const observed = { values, requests: emptySeries, siblings, riseMin: 0 };
      return watch(observed, story.days * dayMs).map((alert) => ({ signal: signal.name, ...alert }));
    })
    .sort((a, b) => a.atMs - b.atMs);
}
