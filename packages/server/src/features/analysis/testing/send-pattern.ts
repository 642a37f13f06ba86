import { minuteMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import type { AnalysingServer } from "./start-analyses.ts";

export interface SentPattern {
  readonly service: string;
  readonly minutesAgo?: number;
  /** CPU of compiling a pattern in each second. */
  readonly compileMs?: number;
  readonly tags?: Readonly<Record<string, string>>;
}

/** Sends a profile of ten seconds, in which everything else takes 200 ms of CPU in each second. Returns its id. */
export async function sendPattern(
  server: AnalysingServer,
  { service, minutesAgo = 2, compileMs = 100, tags = {} }: SentPattern,
): Promise<string> {
  const picture = `
    main.main          main.main
    shop.search        shop.search
    shop.highlight     shop.rank
    regexp.Compile     sort.Slice
    regexp.compile     sort.insertionSort
    ${10 * compileMs * 1e6}  ${10 * 200 * 1e6}`;
  const profile = profileOf(picture, { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n });
  const started_at = new Date(server.clock.now().getTime() - minutesAgo * minuteMs).toISOString();
  const query = { service, type: "cpu", started_at, ...tags };
  return (await server.send(profile, { headers: server.keyHeaders, query })).profile_id;
}
