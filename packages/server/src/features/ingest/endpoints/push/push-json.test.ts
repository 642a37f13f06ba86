import { expect, test } from "vitest";
import { readPushJson } from "./push-json.ts";

const read = (series: unknown) => readPushJson(Buffer.from(JSON.stringify({ series })), 5);

test.each([
  ["junk", "!!!!"],
  ["junk in the middle", "AAAA!AAA"],
  ["a line break", "AAAA\nAAAA"],
  ["a cut group", "AAAAA"],
  ["padding in the middle", "AA==AAAA"],
  ["too little padding", "AA="],
  ["nothing but padding", "===="],
  ["both alphabets", "A+_A"],
])("refuses base64 with %s, and names series and sample", (_, text) => {
  for (const sample of [{ rawProfile: text }, { raw_profile: text }]) {
    const outcome = read([{ samples: [] }, { samples: [{ rawProfile: "" }, sample] }]);
    if (outcome.ok) throw new Error("was accepted");
    expect(outcome.refusal.code).toBe("invalid");
    expect(outcome.refusal.message).toMatch(/series\.1\.samples\.1\.raw_?[pP]rofile: invalid base64/);
  }
});

test.each(["base64", "base64url"] as const)("takes %s with padding and without", (alphabet) => {
  for (const length of [1, 2, 3, 1000, 3_000_000]) {
    const bytes = Buffer.alloc(length, Buffer.of(0xfb, 0xff, 0xfe, 0x00, 0x13));
    const bare = bytes.toString(alphabet).replaceAll("=", "");
    for (const rawProfile of [bare, bare.padEnd(Math.ceil(bare.length / 4) * 4, "=")]) {
      const outcome = read([{ samples: [{ rawProfile }] }]);
      if (!outcome.ok) throw new Error(outcome.refusal.message);
      expect(bytes.equals(outcome.value[0]!.profiles[0]!)).toBe(true);
    }
  }
});
