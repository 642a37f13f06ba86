import { describe, expect, it } from "vitest";
import { defaultLimits } from "#model/limits.ts";
import { readProfile } from "#read/read-profile.ts";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";

function read(text: string) {
  const result = readProfile(Buffer.from(text), defaultLimits);
  if (!result.ok) throw new Error(result.error.message);
  return sumStacks(result.profile);
}

const folded = (text: string, type = 0) => foldStacks(read(text), type).trimEnd().split("\n").sort();
const typesOf = (text: string) => read(text).sampleTypes.map(({ type, unit }) => `${type}/${unit}`);

describe("stacks of DTrace", () => {
  const stacks =
    "\n\n              libc.so.1`read+0x7\n              shop`main+0x1f\n               14\n\n" +
    "              unix`0xfffffffffb8001d6\n              shop`main+0x2\n                1\n";

  it("have their counts, without the places in functions", () => {
    const expected = ["shop`main;libc.so.1`read 14", "shop`main;unix`0xfffffffffb8001d6 1"];
    expect(folded(stacks)).toEqual(expected);
    const heading =
      "CPU     ID                    FUNCTION:NAME\n  0  64091                        :tick-60s \n";
    expect(folded(heading + stacks)).toEqual(expected);
    expect(folded(stacks.replaceAll("\n", "\r\n"))).toEqual(expected);
  });

  it("without their last count are refused", () => {
    expect(() => read(stacks.replace(/ +1\n$/, ""))).toThrow("has no count");
  });
});

describe("a call tree copied from Instruments", () => {
  it("has the time of each call without the calls that it makes", () => {
    const text = `Weight\tSelf Weight\t\tSymbol Name
4.00 s  100.0%\t0 s\t \tstart
3.00 s   75.0%\t1.00 s\t \t main
1.50 s   37.5%\t1.50 s\t \t  encode
500.00 ms   12.5%\t500.00 ms\t \t  query
1.00 s   25.0%\t1.00 s\t \t idle
`;
    expect(folded(text)).toEqual([
      "start;idle 1000000000",
      "start;main 1000000000",
      "start;main;encode 1500000000",
      "start;main;query 500000000",
    ]);
    expect(typesOf(text)).toEqual(["cpu/nanoseconds"]);
  });

  it("has bytes in use, or cycles", () => {
    const used = "Bytes Used\tCount\t\tSymbol Name\n  2.00 MB     100.0%\t7\t \tstart\n";
    expect([folded(used), typesOf(used)]).toEqual([["start 2097152"], ["inuse_space/bytes"]]);
    const cycles = "Weight\tSelf Weight\tSymbol Names\n96.08 Gc  100.0%\t-\t start\n";
    expect([folded(cycles), typesOf(cycles)]).toEqual([["start 96080000000"], ["cycles/count"]]);
  });

  it("with a line that has no weight is refused by its number", () => {
    const text = "Running Time\tSelf (ms)\t\tSymbol Name\n4273.0ms   99.9%\t0\t \tstart\nno weight\n";
    expect(() => read(text)).toThrow("Line 3 of the copied call tree");
  });
});
