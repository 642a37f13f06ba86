import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { NoiseCache } from "@flamekeep/server/alerts/detect/noise/noise-cache.ts";
import { emptySeries, type Series, toSeries } from "@flamekeep/server/alerts/detect/series/series.ts";
import type { Instance } from "@flamekeep/server/alerts/detect/watched/observed.ts";
import type { Random } from "#random";
import { watch } from "#watch";
import type { Alert } from "./alert.ts";
import { type Point, pointsOf } from "./points.ts";
import type { Story } from "./story.ts";

/** Every alert about the service of the story, by time. */
export function watchStory(story: Story, random: Random): Alert[] {
  const minutes = Math.ceil((story.days * dayMs) / minuteMs);
  const traffic = story.traffic(random, minutes);
  const all = story.signals.map((signal) => {
    const points = pointsOf(story, signal, traffic, random);
    return { signal, values: seriesOf(points), instances: instancesOf(points, story.hasVersions) };
  });
  const requests = story.countsRequests === true ? requestsOf(traffic) : emptySeries;
  const releasedMs = story.hasVersions ? story.releases.map(({ atMs }) => atMs) : [];
  return all
    .flatMap(({ signal, values, instances }) => {
      const siblings = all.flatMap((other) => (other.signal === signal ? [] : [other.values]));
      const observed = {
        values,
        requests,
        siblings,
        isGauge: signal.name === "memory" || signal.name === "goroutine",
        riseMin: 0,
        releasedMs,
        noise: new NoiseCache(),
        instances,
      };
      return watch(observed, story.days * dayMs).map((alert) => ({ signal: signal.name, ...alert }));
    })
    .sort((a, b) => a.atMs - b.atMs);
}

/** Requests of each minute. Only their ratios matter: 600 at usual traffic is as good as any number. */
function requestsOf(traffic: Float64Array): Series {
  return toSeries(Array.from(traffic, (share, minute): [number, number] => [minute * minuteMs, 600 * share]));
}

function seriesOf(points: readonly Point[]): Series {
  return toSeries(points.map(({ atMs, value }): [number, number] => [atMs, value]));
}

/** An instance with a new version is another process: it has no profiles of the old one. */
function instancesOf(points: readonly Point[], hasVersions: boolean): Instance[] {
  const version = (point: Point) => (hasVersions ? point.version : "");
  const all = Map.groupBy(points, (point) => `${point.instance}/${version(point)}`);
  return [...all].map(([name, own]) => ({ name, version: version(own[0]!), values: seriesOf(own) }));
}
