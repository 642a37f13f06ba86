import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync, zstdDecompressSync } from "node:zlib";
import type { ProfileType } from "@flamekeep/contract";
import {
  defaultLimits,
  type Profile,
  profileTypeOf,
  readProfile,
  sniff,
  sumStacks,
  writeProfile,
} from "@flamekeep/profile";
import { corpus } from "@flamekeep/profile/testing/corpus";
import { cpuPerCall } from "#cpu";
import { cpuProfilesNear } from "#profiles";
import { atMost, type Measurement, quantile } from "#result";
import type { Acceptance } from "./acceptance.ts";
import { type Text, texts } from "./texts.ts";

const turns = 5;
const turnUs = 20_000;
/** A server has compiled its loops long before it is looked at. */
const warmUs = 1_000_000;

const fixtures = (name: string) =>
  fileURLToPath(new URL(`../../packages/profile/src/fixtures/${name}`, import.meta.url));
const collection = fileURLToPath(new URL("open", corpus));

/** An upload in another format, and the same samples as gzipped pprof: a request of OTLP has several profiles. */
interface Pair {
  readonly name: string;
  readonly accept: () => void;
  readonly profiles: readonly { readonly body: Uint8Array; readonly type: ProfileType }[];
}

/** CPU to accept uploads in other formats, over the CPU to accept the same stacks as pprof, in turns. */
export function otherFormats(acceptance: Acceptance): Measurement[] {
  const recordings = pairsIn([fixtures("jfr"), collection], "*.jfr.gz", acceptance).map((pair) =>
    measure(pair, acceptance),
  );
  const json = pairsIn([fixtures("json"), collection], "*{.json,.cpuprofile,.heapprofile}*", acceptance).map(
    (pair) => measure(pair, acceptance),
  );
  const profiles = cpuProfilesNear(70_000, 3).map(({ profile }) => sumStacks(profile));
  const ofTexts = [...texts].flatMap(([name, write]) => {
    const pairs = profiles.map((stacks, at) => textPair(`${name} ${at + 1}`, write(stacks), acceptance));
    return ratios(
      `${name} over pprof, CPU a sample`,
      pairs.map((pair) => measure(pair, acceptance)),
      3,
    );
  });
  const requests = otlpRequests(acceptance).map((pair) => measure(pair, acceptance));
  return [
    ...ratios("JFR over pprof, CPU a sample", recordings, 3),
    ...ratios("profiles as JSON over pprof, CPU a sample", json, 3),
    ...ofTexts,
    ...(requests.length === 0 ? [] : ratios("OTLP over pprof, CPU a request", requests, 1.5)),
  ];
}

function ratios(what: string, values: readonly number[], bar?: number): Measurement[] {
  return [
    {
      what: `${what}, median`,
      value: quantile(values, 0.5),
      unit: "x",
      ...(bar && { bar: atMost(bar) }),
    },
    { what: `${what}, most`, value: Math.max(...values), unit: "x" },
  ];
}

/** CPU of an upload over CPU of its profiles as pprof. */
function measure({ name, accept, profiles }: Pair, acceptance: Acceptance): number {
  const acceptPprof = () => {
    for (const { body, type } of profiles) acceptance.profile(name, body, type);
  };
  cpuPerCall(accept, warmUs);
  cpuPerCall(acceptPprof, warmUs / 4);
  let [otherUs, pprofUs] = [0, 0];
  for (let turn = 0; turn < turns; turn++) {
    otherUs += cpuPerCall(accept, turnUs) / turns;
    pprofUs += cpuPerCall(acceptPprof, turnUs) / turns;
  }
  const ratio = otherUs / pprofUs;
  process.stderr.write(
    `  ${name}: ${otherUs.toFixed(0)} us, as pprof ${pprofUs.toFixed(0)} us, ${ratio.toFixed(2)} times\n`,
  );
  return ratio;
}

/** Files that are no profiles are left out. */
function pairsIn(folders: readonly string[], pattern: string, acceptance: Acceptance): Pair[] {
  return filesIn(folders, pattern).flatMap((path) => {
    const [name, file] = [basename(path), readFileSync(path)];
    const body = file[0] === 0x1f ? file : gzipSync(file);
    const read = readProfile(gunzipSync(body), defaultLimits);
    if (!read.ok) return [];
    const type = profileTypeOf(read.profile);
    return [
      {
        name,
        accept: () => acceptance.profile(name, body, type),
        profiles: [asPprof(unsummed(read.profile))],
      },
    ];
  });
}

/** A text as tools write it, without compression, and its samples with their labels as pprof. */
function textPair(name: string, { head, stacks, tail }: Text, acceptance: Acceptance): Pair {
  const body = Buffer.concat([head, stacks, tail].map((part) => Buffer.from(part)));
  const read = readProfile(Uint8Array.from(body), defaultLimits);
  if (!read.ok) throw new Error(`${name}: ${read.error.message}`);
  const pprof = asPprof(read.profile);
  return { name, accept: () => acceptance.profile(name, body, pprof.type), profiles: [pprof] };
}

/** The file exporter of the OpenTelemetry Collector writes each request after its length. */
function otlpRequests(acceptance: Acceptance): Pair[] {
  return filesIn([collection], "*{otlp,otel}*").flatMap((path) => {
    const bytes = readFileSync(path);
    const requests = sniff(bytes) === "otlp_framed" ? framed(bytes) : [bytes];
    return requests.map((request, at): Pair => {
      const name = `${basename(path)} ${at + 1}`;
      const body = gzipSync(request);
      const parts: Profile[] = [];
      acceptance.otlp(name, body, ({ payload }) => parts.push(profileOf(name, inflated(payload))));
      return { name, accept: () => acceptance.otlp(name, body), profiles: parts.map(asPprof) };
    });
  });
}

function filesIn(folders: readonly string[], pattern: string): string[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => globSync(pattern, { cwd: folder }).map((name) => `${folder}/${name}`));
}

function framed(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt32BE(at))
    found.push(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at)));
  return found;
}

function inflated(payload: Uint8Array): Uint8Array {
  if (payload[0] === 0x1f) return gunzipSync(payload);
  return payload[0] === 0x28 ? zstdDecompressSync(payload) : Uint8Array.from(payload);
}

function profileOf(name: string, raw: Uint8Array): Profile {
  const result = readProfile(raw, defaultLimits);
  if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
  return result.profile;
}

function asPprof(profile: Profile) {
  return { body: gzipSync(writeProfile(profile)), type: profileTypeOf(profile) };
}

/** Events of these types count as several samples or objects each. */
const weighted: ReadonlySet<string> = new Set(["wall_samples", "alloc_sample_objects"]);

/** The profile with a sample for each event, as recordings have them, and without labels. Weighted events are one for each stack. */
function unsummed(profile: Profile): Profile {
  const { sampleTypes, samples } = profile;
  const counts = samples.values.filter((_, at) => {
    const { type, unit } = sampleTypes[at]!;
    return unit === "count" && !weighted.has(type);
  });
  const events = Array.from({ length: samples.length }, (_, row) =>
    Math.max(1, ...counts.map((column) => Number(column[row]))),
  );
  const rows = events.flatMap((count, row) => new Array<number>(count).fill(row));
  const locations = rows.map((row) =>
    samples.location.subarray(samples.locationStart[row], samples.locationStart[row + 1]),
  );
  const locationStart = new Uint32Array(rows.length + 1);
  for (const [at, { length }] of locations.entries()) locationStart[at + 1] = locationStart[at]! + length;
  return {
    ...profile,
    samples: {
      length: rows.length,
      locationStart,
      location: Uint32Array.from(locations.flatMap((each) => [...each])),
      labelStart: new Uint32Array(rows.length + 1),
      values: samples.values.map((column) =>
        Float64Array.from(rows, (row) => Math.round(Number(column[row]) / events[row]!)),
      ),
    },
  };
}
