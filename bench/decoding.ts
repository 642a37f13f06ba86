import { gunzipSync } from "node:zlib";
import { defaultLimits, readProfile, sumStacks } from "@flamekeep/profile";
import { cpuPerCall } from "./cpu.ts";
import { type RealProfile, realProfiles } from "./profiles.ts";
import { atMost, type BenchResult, quantile } from "./result.ts";

/** Profiles below this inflate in microseconds, where the ratio measures call overhead. */
const smallestRawBytes = 10_000;
const warmRounds = 20;

/** CPU to inflate, decode and sum a profile, over the CPU to inflate it. */
export async function benchDecoding(): Promise<BenchResult> {
  const profiles = realProfiles().filter(({ raw }) => raw.length >= smallestRawBytes);
  // A server has compiled its loops long before it is looked at.
  for (let round = 0; round < warmRounds; round++) for (const each of profiles) decode(each);
  const rows = profiles.map(measure);
  const rawBytes = rows.reduce((sum, row) => sum + row.rawBytes, 0);
  const decodeUs = rows.reduce((sum, row) => sum + row.decodeUs, 0);
  return {
    name: "decoding",
    input: `${profiles.length} gzipped profiles of at least ${smallestRawBytes} bytes inflated`,
    measurements: [
      {
        what: "inflate, decode, sum over inflate, median",
        value: quantile(rows.map(ratio), 0.5),
        unit: "x",
        bar: atMost(4, true),
      },
      { what: "inflate, decode, sum over inflate, p90", value: quantile(rows.map(ratio), 0.9), unit: "x" },
      { what: "decode and sum, inflated bytes", value: rawBytes / decodeUs, unit: "MB/s" },
    ],
  };
}

interface Row {
  readonly rawBytes: number;
  readonly inflateUs: number;
  readonly decodeUs: number;
}

function measure({ body, raw }: RealProfile): Row {
  return {
    rawBytes: raw.length,
    inflateUs: cpuPerCall(() => gunzipSync(body)),
    decodeUs: cpuPerCall(() => decode({ raw })),
  };
}

function decode({ raw }: Pick<RealProfile, "raw">): unknown {
  const result = readProfile(raw, defaultLimits);
  if (!result.ok) throw new Error(result.error.message);
  return sumStacks(result.profile);
}

const ratio = ({ inflateUs, decodeUs }: Row) => (inflateUs + decodeUs) / inflateUs;
