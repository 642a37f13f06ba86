import { describe, expect, it } from "vitest";
import { defaultLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { readProfile } from "#read/read-profile.ts";
import { writeProfile } from "#write/write-profile.ts";
import { profileOf } from "../testing/index.ts";
import { labelTotals } from "./label-totals.ts";

/** The picture's three samples with the labels tenant=a, tenant=b and size=512 bytes, and tenant=a twice. */
function labelled(): Profile {
  const profile = profileOf("main main main\nread write seek\n1,10 2,20 4,40", {
    sampleTypes: ["files/count", "held/bytes"],
  });
  const strings = [...profile.strings, "tenant", "a", "b", "size", "bytes"];
  const [tenant, a, b, size, bytes] = [1, 2, 3, 4, 5].map((at) => profile.strings.length - 1 + at);
  return {
    ...profile,
    strings,
    samples: { ...profile.samples, labelStart: Uint32Array.of(0, 1, 3, 5) },
    labels: {
      length: 5,
      key: Uint32Array.of(tenant, tenant, size, tenant, tenant),
      text: Uint32Array.of(a, b, 0, a, a),
      number: BigInt64Array.of(0n, 0n, 512n, 0n, 0n),
      unit: Uint32Array.of(0, 0, bytes, 0, 0),
    },
  };
}

describe("totals by label", () => {
  it("sum the samples that carry a label, once each, for every sample type", () => {
    const read = readProfile(writeProfile(labelled()), defaultLimits);
    if (!read.ok) throw new Error(read.error.message);
    expect(labelTotals(read.profile).labels).toEqual([
      { key: "tenant", value: "a", totals: [5, 50] },
      { key: "tenant", value: "b", totals: [2, 20] },
      { key: "size", value: "512 bytes", totals: [2, 20] },
    ]);
  });

  it("are none for a profile without labels", () => {
    expect(labelTotals(profileOf("main\n1"))).toEqual({ labels: [], count: 0 });
  });

  it("list the labels with the largest totals, and their number if there are more", () => {
    expect(labelTotals(labelled(), 3)).toMatchObject({ labels: { length: 3 }, count: 3 });
    expect(labelTotals(labelled(), 1)).toEqual({
      labels: [{ key: "tenant", value: "a", totals: [5, 50] }],
      count: 3,
    });
  });

  it("merge a label whose texts are in the string table more than once", () => {
    const profile = labelled();
    const strings = [...profile.strings, "a"];
    const text = profile.labels.text.slice();
    text[3] = strings.length - 1;
    text[4] = strings.length - 1;
    const twice = { ...profile, strings, labels: { ...profile.labels, text } };
    expect(labelTotals(twice)).toEqual(labelTotals(profile));
  });
});
