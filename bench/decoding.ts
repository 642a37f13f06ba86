import { gunzipSync } from "node:zlib";
import { defaultLimits, profileTypeOf, readStacks } from "@flamekeep/profile";
import { cpuPerCall } from "./cpu.ts";
import { Acceptance } from "./decoding/acceptance.ts";
import { largeUploads } from "./decoding/large-uploads.ts";
import { otherFormats } from "./decoding/other-formats.ts";
import { measureSpanBatches } from "./decoding/span-batches.ts";
import { type RealProfile, realProfiles } from "./profiles.ts";
import { atMost, type BenchResult, quantile } from "./result.ts";

/** Profiles below this inflate in microseconds, where the ratio measures call overhead. */
const smallestRawBytes = 10_000;
const warmRounds = 15;
/** Turns of each part of the work: a shared machine changes its speed while one profile is measured. */
const turns = 6;
/** Length of a turn; together long enough that a collection of garbage is a share of it and not the whole. */
const turnUs = 10_000;

/**
 * CPU over the CPU to inflate a profile: to accept it (all that a worker thread does with an upload, its definitions known
 * from before), and the part of it that inflates, decodes and sums.
 */
export async function benchDecoding(): Promise<BenchResult> {
  const profiles = realProfiles().filter(({ raw }) => raw.length >= smallestRawBytes);
  // A server has compiled its loops long before it is looked at.
  const acceptance = new Acceptance();
  // The API accepts mutex and block profiles only with a type.
  const accept = ({ name, body, profile }: RealProfile) =>
    acceptance.profile(name, body, profileTypeOf(profile));
  for (let round = 0; round < warmRounds; round++) for (const each of profiles) accept(each);
  const rows = profiles.map((each) => measure(each, accept));
  const rawBytes = rows.reduce((sum, row) => sum + row.rawBytes, 0);
  const decodeUs = rows.reduce((sum, row) => sum + row.decodeUs, 0);
  return {
    name: "decoding",
    input: `${profiles.length} gzipped profiles of at least ${smallestRawBytes} bytes inflated`,
    measurements: [
      {
        what: "accept over inflate, median",
        value: quantile(rows.map(acceptRatio), 0.5),
        unit: "x",
        bar: atMost(4, true),
      },
      { what: "inflate, decode, sum over inflate, median", value: quantile(rows.map(ratio), 0.5), unit: "x" },
      { what: "inflate, decode, sum over inflate, p90", value: quantile(rows.map(ratio), 0.9), unit: "x" },
      { what: "decode and sum, inflated bytes", value: rawBytes / decodeUs, unit: "MB/s" },
      ...otherFormats(acceptance),
      ...measureSpanBatches(),
      ...(await largeUploads()),
    ],
  };
}

interface Row {
  readonly rawBytes: number;
  readonly inflateUs: number;
  readonly decodeUs: number;
  readonly acceptUs: number;
}

function measure(profile: RealProfile, accept: (profile: RealProfile) => void): Row {
  const row = { rawBytes: profile.raw.length, inflateUs: 0, decodeUs: 0, acceptUs: 0 };
  for (let turn = 0; turn < turns; turn++) {
    row.inflateUs += cpuPerCall(() => gunzipSync(profile.body), turnUs) / turns;
    row.decodeUs += cpuPerCall(() => decode(profile), turnUs) / turns;
    row.acceptUs += cpuPerCall(() => accept(profile), turnUs) / turns;
  }
  return row;
}

function decode({ raw }: Pick<RealProfile, "raw">): unknown {
  const result = readStacks(raw, defaultLimits);
  if (!result.ok) throw new Error(result.error.message);
  return result.profile.stacks;
}

const acceptRatio = ({ inflateUs, acceptUs }: Row) => acceptUs / inflateUs;
const ratio = ({ inflateUs, decodeUs }: Row) => (inflateUs + decodeUs) / inflateUs;
