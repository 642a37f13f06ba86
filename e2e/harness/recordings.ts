import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { root } from "./start-flamekeep.ts";

const recorded = `${root}examples/shop/recorded`;

export interface Recording {
  readonly body: Buffer;
  /** Values of the profile's last sample type according to `go tool pprof`. */
  readonly truth: Truth;
}

interface Truth {
  readonly totals: Readonly<Record<string, number>>;
  readonly by_cum: readonly FunctionTruth[];
  readonly by_flat: readonly FunctionTruth[];
}

interface FunctionTruth {
  readonly name: string;
  readonly flat: number;
  readonly cum: number;
}

/** The first recorded CPU profile of the demo service, with its expected values. */
export function recordedCpuProfile(): Recording {
  const truths: Record<string, Truth> = JSON.parse(
    gunzipSync(readFileSync(`${recorded}/truth/checkout-before.json.gz`)).toString(),
  );
  const file = Object.keys(truths).find((name) => /\bcpu\b/.test(name));
  const truth = file === undefined ? undefined : truths[file];
  if (file === undefined || truth === undefined)
    throw new Error(`no CPU profile among the truths in ${recorded}`);
  return { body: readFileSync(`${recorded}/${file}`), truth };
}

/** The first recorded profile of a type of a service of the demo, before its release or after it. */
export function recordedProfile(
  service: string,
  type: string,
  variant: "before" | "after" = "before",
): Buffer {
  return readFileSync(`${recorded}/${service}/${variant}/${type}-01.pb.gz`);
}

export interface CapturedRequest {
  readonly name: string;
  /** Path and query. */
  readonly target: string;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Requests of Pyroscope's unmodified Go SDK, moved to the present: they would become older than the retention. */
export function capturedSdkRequests(): CapturedRequest[] {
  const folder = `${root}examples/recordings/requests/pyroscope-go-1.4.3`;
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const request: { url: string; headers: Record<string, string>; body: string } = JSON.parse(
        readFileSync(`${folder}/${name}`, "utf8"),
      );
      return {
        name,
        target: atPresent(request.url),
        contentType: request.headers["content-type"] ?? "",
        body: Buffer.from(request.body, "base64"),
      };
    });
}

function atPresent(target: string): string {
  const url = new URL(target, "http://localhost");
  const [from, until] = ["from", "until"].map((name) => BigInt(url.searchParams.get(name) ?? 0));
  const now = BigInt(Date.now()) * 1_000_000n;
  url.searchParams.set("until", String(now));
  url.searchParams.set("from", String(now - ((until ?? 0n) - (from ?? 0n))));
  return url.pathname + url.search;
}
