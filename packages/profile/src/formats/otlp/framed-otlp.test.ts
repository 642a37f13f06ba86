import { describe, expect, it } from "vitest";
import { defaultLimits, type ReadLimits } from "#model/limits.ts";
import { readProfile } from "#read/read-profile.ts";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { labelledSamples } from "../../testing/labelled-samples.ts";
import { otlpOf } from "../../testing/otlp-of.ts";

function framed(...requests: Uint8Array[]): Buffer {
  return Buffer.concat(
    requests.flatMap((request) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(request.length);
      return [length, request];
    }),
  );
}

const refusal = (bytes: Uint8Array, limits: Partial<ReadLimits> = {}) => {
  const result = readProfile(bytes, { ...defaultLimits, ...limits });
  return result.ok ? undefined : result.error;
};

const first = otlpOf([
  {
    profiles: [
      {
        timeNs: 1000n,
        durationNs: 500n,
        samples: [{ stack: "main;work", values: [5], attributes: { "thread.name": "a" } }],
      },
    ],
  },
]);
const second = otlpOf([
  {
    profiles: [
      {
        timeNs: 3000n,
        durationNs: 500n,
        samples: [
          { stack: "main;work", values: [2] },
          { stack: "main;idle", values: [1] },
        ],
      },
      {
        type: "off_cpu/nanoseconds",
        timeNs: 3000n,
        durationNs: 700n,
        samples: [{ stack: "main;wait", values: [9] }],
      },
    ],
  },
]);

describe("a file of OTLP requests", () => {
  it("has the samples of all requests, with their labels, types and times", () => {
    const result = readProfile(framed(first, second, first));
    if (!result.ok) throw new Error(result.error.message);
    const { profile } = result;
    const stacks = sumStacks(profile);
    const folded = stacks.sampleTypes.map((_, type) => foldStacks(stacks, type).trim().split("\n").sort());
    expect(folded).toEqual([["main;idle 1", "main;work 12"], ["main;wait 9"]]);
    expect(labelledSamples(profile)[0]).toEqual({ stack: "main;work", labels: { "thread.name": "a" } });
    expect([profile.timeNs, profile.durationNs]).toEqual([1000n, 2700n]);
  });

  it("is refused where it is cut off, or a limit is exceeded in all requests together", () => {
    const file = framed(first, second);
    expect(refusal(file.subarray(0, -1))).toMatchObject({
      code: "malformed",
      message: expect.stringContaining("request 2"),
    });
    expect(refusal(file.subarray(0, first.length + 6))).toMatchObject({ code: "malformed" });
    expect(refusal(file, { samples: 3 })).toMatchObject({ code: "too_large", field: "samples" });
    expect(refusal(file, { sampleTypes: 1 })).toMatchObject({ code: "too_large", field: "sampleTypes" });
    const empty = otlpOf([{ profiles: [{ samples: [] }] }]);
    expect(refusal(framed(empty))).toMatchObject({
      code: "invalid",
      message: expect.stringContaining("no sample"),
    });
    const many = Buffer.concat([framed(first), Buffer.alloc(4 * 10_000)]);
    expect(refusal(many)).toMatchObject({ code: "too_large", message: expect.stringContaining("10000") });
  });
});
