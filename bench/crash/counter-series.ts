import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { hourMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";

const counterService = "counters";
const startMs = hourMs;
const betweenMs = 250;
const retryMs = 20;

/** Totals that the server must show for the series. */
export interface CounterTotals {
  readonly snapshots: number;
  readonly contentions: number;
  readonly delayNs: number;
}

/**
 * Snapshots of one process's mutex counters, each sent until it is acknowledged, so that the totals are known exactly whatever is
 * killed meanwhile. A snapshot that is stored twice, lost or compared with the wrong one makes other totals.
 */
export class CounterSeries {
  readonly #begunMs = Date.now() - startMs;
  #next = 0;
  #acknowledged: Omit<CounterTotals, "snapshots"> = countersAt(0);

  /** Sends one snapshot after the other until `over`; the one on its way then is sent again first by the next call. */
  async send(
    url: string,
    key: string,
    over: AbortSignal,
    onAcknowledged: (ids: readonly string[]) => void,
  ): Promise<void> {
    while (!over.aborted) {
      const id = await this.#sendNext(url, key, over);
      if (id === undefined) await sleep(retryMs);
      else onAcknowledged([id]);
    }
  }

  /** Sends until the snapshot that may be on its way since the last call is acknowledged. */
  async finish(url: string, key: string, onAcknowledged: (ids: readonly string[]) => void): Promise<void> {
    const over = new AbortController();
    await this.send(url, key, over.signal, (ids) => {
      onAcknowledged(ids);
      over.abort();
    });
  }

  /** The first snapshot adds nothing: nobody knows when its counters began. */
  expected(): CounterTotals {
    const first = countersAt(0);
    return {
      snapshots: this.#next,
      contentions: this.#acknowledged.contentions - first.contentions,
      delayNs: this.#acknowledged.delayNs - first.delayNs,
    };
  }

  /** Undefined where the server is away; throws where it refuses the snapshot. */
  async #sendNext(url: string, key: string, over: AbortSignal): Promise<string | undefined> {
    const counters = countersAt(this.#next);
    const profile = profileOf(`main main\nqueue.Put db.Query\n${counters.columns.join(" ")}`, {
      sampleTypes: ["contentions/count", "delay/nanoseconds"],
    });
    const query = new URLSearchParams({
      service: counterService,
      type: "mutex",
      "tag.instance": "bench",
      started_at: new Date(this.#begunMs + this.#next * betweenMs).toISOString(),
    });
    const reply = await fetch(`${url}/api/v1/ingest/profiles?${query}`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/octet-stream" },
      body: new Uint8Array(gzipSync(writeProfile(profile))),
      signal: over,
    })
      .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
      .catch(() => undefined);
    if (reply === undefined || reply.status >= 500) return undefined;
    if (reply.status !== 200)
      throw new Error(`a snapshot of counters was refused: ${reply.status} ${reply.text}`);
    this.#next++;
    this.#acknowledged = counters;
    return (JSON.parse(reply.text) as { profile_id: string }).profile_id;
  }
}

/** Two stacks; the second one grows with every third snapshot only. */
function countersAt(number: number) {
  const often = { contentions: 1_000 + number, delayNs: 1_000_000 + 1_009 * number };
  const seldom = { contentions: 500 + Math.floor(number / 3), delayNs: 10_000 + 17 * Math.floor(number / 3) };
  return {
    columns: [`${often.contentions},${often.delayNs}`, `${seldom.contentions},${seldom.delayNs}`] as const,
    contentions: often.contentions + seldom.contentions,
    delayNs: often.delayNs + seldom.delayNs,
  };
}

/** Totals of the series in the merged flame graph. */
export async function shownCounters(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<CounterTotals> {
  const merged = async (sample_type: string) => {
    const query = new URLSearchParams({ since: "24h", sample_type });
    const path = `/api/v1/protected/flamegraph/service/${counterService}/mutex?${query}`;
    const reply = await fetch(url + path, { headers });
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as { readonly profiles_merged: number; readonly total_samples: number };
  };
  const contentions = await merged("contentions");
  const delay = await merged("delay");
  return {
    snapshots: contentions.profiles_merged,
    contentions: contentions.total_samples,
    delayNs: delay.total_samples,
  };
}
