import { existsSync, globSync, readFileSync } from "node:fs";
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
    readFileSync(`${recorded}/truth/checkout-before.json`, "utf8"),
  );
  const file = Object.keys(truths).find((name) => /\bcpu\b/.test(name));
  const truth = file === undefined ? undefined : truths[file];
  if (file === undefined || truth === undefined)
    throw new Error(`no CPU profile among the truths in ${recorded}`);
  return { body: readFileSync(`${recorded}/${file}`), truth };
}

export interface CapturedRequest {
  readonly name: string;
  /** Path and query. */
  readonly target: string;
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * Requests captured from the real Go SDK, if that collection lies next to the checkout. Moved to the present, because they would
 * become older than the retention.
 */
export function capturedSdkRequests(): CapturedRequest[] {
  const folder = `${root}../shared/fixtures/pyroscope-go`;
  if (!existsSync(folder)) return [];
  return globSync("req*.json", { cwd: folder })
    .sort()
    .map((file) => {
      const { line, headers }: { line: string; headers: [string, string][] } = JSON.parse(
        readFileSync(`${folder}/${file}`, "utf8"),
      );
      return {
        name: file,
        target: atPresent(line.split(" ")[1] ?? ""),
        contentType: headers.find(([name]) => name === "Content-Type")?.[1] ?? "",
        body: readFileSync(`${folder}/${file.replace(".json", ".body")}`),
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
