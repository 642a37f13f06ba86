import type { LabelColumns, Profile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";

export type Labels = Readonly<Record<string, string>>;

/** Three samples of two stacks, with 1, 2 and 4 samples of 10 ms. */
export function labelled(samples: readonly Labels[]): Profile {
  const profile = profileOf("main main\nserve serve\nread write\n1,10 2,20", {
    sampleTypes: ["samples/count", "cpu/nanoseconds"],
    durationNs: 10_000_000_000n,
  });
  const { location, locationStart } = profile.samples;
  const locations = [0, 1, 1].map((stack) => [
    ...location.subarray(locationStart[stack]!, locationStart[stack + 1]!),
  ]);
  const three = {
    ...profile.samples,
    length: 3,
    location: Uint32Array.from(locations.flat()),
    locationStart: Uint32Array.of(0, 3, 6, 9),
    values: [Float64Array.of(1, 2, 4), Float64Array.of(10, 20, 40)],
  };
  return withLabels({ ...profile, samples: three }, samples);
}

/** The profile with these labels of its samples, in their order. */
export function withLabels(profile: Profile, samples: readonly Labels[]): Profile {
  const pairs = samples.map((each) => Object.entries(each));
  const strings = [...new Set([...profile.strings, ...pairs.flat(2)])];
  const place = (text: string) => strings.indexOf(text);
  const labels: LabelColumns = {
    length: pairs.flat().length,
    key: Uint32Array.from(pairs.flat(), ([key]) => place(key)),
    text: Uint32Array.from(pairs.flat(), ([, value]) => place(value)),
    number: new BigInt64Array(pairs.flat().length),
    unit: new Uint32Array(pairs.flat().length),
  };
  const ends = [0, ...pairs.keys()].map((_, end) => pairs.slice(0, end).flat().length);
  return {
    ...profile,
    strings,
    labels,
    samples: { ...profile.samples, labelStart: Uint32Array.from(ends) },
  };
}
