import fc from "fast-check";
import { expect, it } from "vitest";
import { fromUtf8, toUtf8 } from "../wire/utf8.ts";
import { AsciiWriter, numberBytesMax, phraseOf } from "./ascii-writer.ts";

function written(write: (out: AsciiWriter) => void): string {
  const out = new AsciiWriter(numberBytesMax);
  write(out);
  return fromUtf8(out.finish());
}

const powers = Array.from({ length: 54 }, (_, bits) => 2 ** bits);
const tens = Array.from({ length: 16 }, (_, digits) => 10 ** digits);
const around = [...powers, ...tens].flatMap((value) => [value - 1, value, value + 1, -value]);
const others = [0, -0, 0.5, -1.25, 1e21, -1e300, 5e-324, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE];

it.each([...around, ...others])("writes %d as JSON does", (value) => {
  expect(written((out) => out.number(value))).toBe(JSON.stringify(value));
});

it.each([
  [0, "0"],
  [1, "0.000001"],
  [-1, "-0.000001"],
  [25_000_000, "25"],
  [33_333_333, "33.333333"],
  [100_000_000, "100"],
  [-1_500_000, "-1.500000"],
  [9_000_000_000_000_001, "9000000000.000001"],
  [123_456_789_012_345_680_000, "123456789012345.683968"],
  [-1.2e27, "-1.2e+21"],
  // Their quotient by a million rounds up to the next unit.
  [Number(6_179_917_528_586_410_524_672n), "6179917528586410.524672"],
  [Number(7_324_847_830_183_729_692_672n), "7324847830183729.692672"],
])("writes %d millionths as %s", (millionths, text) => {
  expect(written((out) => out.millionths(millionths))).toBe(text);
});

it("writes millionths of any size as JSON does, except for their last decimals", () => {
  const whole = fc.double({ noNaN: true, noDefaultInfinity: true }).map(Math.round);
  fc.assert(
    fc.property(whole, (millionths) => {
      const text = written((out) => out.millionths(millionths));
      expect(text.length).toBeLessThanOrEqual(numberBytesMax);
      const error = Math.abs(JSON.parse(text) - millionths / 1e6);
      expect(error).toBeLessThanOrEqual(Math.abs(millionths / 1e6) * 2 ** -52);
    }),
  );
});

it("writes phrases and bytes one after the other, and repeats written bytes", () => {
  const out = new AsciiWriter(1);
  for (const text of ["a", "eight888", ',"more than eight":']) {
    out.makeRoom(64);
    out.phrase(phraseOf(text));
  }
  out.bytes(toUtf8("é"));
  out.again(1, 6);
  expect(fromUtf8(out.finish())).toBe('aeight888,"more than eight":éeight');
});
