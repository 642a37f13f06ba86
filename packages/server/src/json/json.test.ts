import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonRecords } from "#json/json-records.ts";
import { parseJson } from "#json/parse-json.ts";
import { JsonFault, type JsonLimits, valueEnd } from "#json/scan-json.ts";

const wide: JsonLimits = { depthMax: 32, bytesMax: 1e6 };
const bytesOf = (text: string) => Buffer.from(text);
const recordsOf = (text: string, limits = wide) => [...jsonRecords(bytesOf(text), "metrics", limits)];

/** The kind of the fault that `read` throws. */
function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof JsonFault) return error.kind;
    throw error;
  }
  return "none";
}

function attempt(read: () => unknown): { value: unknown } | "refused" {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof JsonFault || error instanceof SyntaxError) return "refused";
    throw error;
  }
}

/** Pieces for nearly valid JSON: about one text in five is valid. */
const pieces = [
  "[",
  "]",
  "{",
  "}",
  ",",
  ":",
  '"a"',
  '"',
  "\\",
  '\\"',
  "1",
  "-",
  "1e999",
  "null",
  "tru",
  " ",
  "\n",
];
const nearlyJson = fc
  .tuple(
    fc.jsonValue({ maxDepth: 3 }),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...pieces)), { maxLength: 2 }),
  )
  .map(([value, changes]) =>
    changes.reduce((text, [at, piece]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place + (at % 2));
    }, JSON.stringify(value)),
  );

describe("a value", () => {
  it("ends at its last byte, with any whitespace before and any text after it", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(4),
        fc.constantFrom(",", "]", "}", " ", "\n"),
        (value, space, after) => {
          const bytes = bytesOf(JSON.stringify(value, null, space));
          expect(valueEnd(Buffer.concat([bytes, bytesOf(after)]), 0, wide)).toBe(bytes.length);
        },
      ),
    );
  });

  it("is accepted exactly if JSON.parse accepts it, with the same result", () => {
    let taken = 0;
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const expected = attempt(() => JSON.parse(text));
        expect(attempt(() => parseJson(bytesOf(text), wide))).toEqual(expected);
        if (expected !== "refused") taken++;
      }),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(200);
  });

  it("that is nested too deep is refused before it is parsed", () => {
    for (const open of ["[", '{"a":', '[{"a":']) {
      expect(faultOf(() => parseJson(bytesOf(open.repeat(1e5)), wide))).toBe("depth");
    }
    const nested = (depth: number) => bytesOf("[".repeat(depth) + "]".repeat(depth));
    expect(faultOf(() => parseJson(nested(32), wide))).toBe("none");
    expect(faultOf(() => parseJson(nested(33), wide))).toBe("depth");
    expect(parseJson(bytesOf(`"${"[".repeat(100)}"`), wide)).toBe("[".repeat(100));
  });

  it("that is too large is refused before it is parsed", () => {
    const small = { depthMax: 2, bytesMax: 10 };
    for (const text of ["1".repeat(11), `"${"a".repeat(9)}"`, `[${" ".repeat(9)}]`]) {
      expect(faultOf(() => parseJson(bytesOf(text), small))).toBe("size");
      expect(faultOf(() => parseJson(bytesOf(text), { ...small, bytesMax: 11 }))).toBe("none");
    }
  });
});

describe("records", () => {
  const record = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  const records = fc.array(record, { maxLength: 5 });

  it("of an array are those of JSON.parse, which refuses the same arrays", () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        fc.pre(text.trimStart().startsWith("["));
        expect(attempt(() => recordsOf(text))).toEqual(attempt(() => JSON.parse(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it("of lines are those of JSON.parse of each", () => {
    fc.assert(
      fc.property(records, fc.constantFrom("\n", "\r\n", "\n\n", " \n\t"), (items, between) => {
        const first = { first: true };
        const text = [first, ...items].map((item) => JSON.stringify(item)).join(between);
        expect(recordsOf(text)).toEqual([first, ...JSON.parse(JSON.stringify(items))]);
      }),
    );
  });

  it("within an object are found after and before any other members", () => {
    fc.assert(
      fc.property(records, record, record, fc.nat(2), (items, before, behind, space) => {
        fc.pre(!("metrics" in before) && !("metrics" in behind));
        const text = JSON.stringify({ ...before, metrics: items, ...behind }, null, space);
        // Keys that are numbers move to the front.
        expect(recordsOf(text)).toEqual(JSON.parse(text).metrics);
      }),
    );
    expect(recordsOf('{"\\u006detrics":[1,2]}')).toEqual([1, 2]);
  });

  it("of one object are the object itself", () => {
    fc.assert(
      fc.property(record, fc.nat(2), (item, space) => {
        fc.pre(!Array.isArray(item.metrics));
        const text = JSON.stringify(item, null, space);
        expect(recordsOf(text)).toEqual([JSON.parse(text)]);
      }),
    );
  });

  it("are bounded in size and depth, the batch is not", () => {
    const limits = { depthMax: 2, bytesMax: 20 };
    expect(recordsOf(`[${"[[]],".repeat(100)}1]`, limits)).toHaveLength(101);
    expect(recordsOf(`{"metrics":[${"[[]],".repeat(100)}1]}`, limits)).toHaveLength(101);
    expect(faultOf(() => recordsOf("[[[[]]]]", limits))).toBe("depth");
    expect(faultOf(() => recordsOf('{"a":1}\n[[[]]]', limits))).toBe("depth");
    expect(faultOf(() => recordsOf(`["${"a".repeat(20)}"]`, limits))).toBe("size");
    expect(faultOf(() => recordsOf(`{"a":1}\n"${"a".repeat(20)}"`, limits))).toBe("size");
    expect(faultOf(() => recordsOf(`{"metrics":[1],"b":"${"a".repeat(20)}"}`, limits))).toBe("size");
  });

  it.each([
    '{"metrics":[1]',
    '{"metrics":[1]} 2',
    '{"metrics":[1],"metrics":[2]}',
    '{"a" 1,"metrics":[1]}',
    "{01:1}",
    '{"a":1} {"a":2}',
    "[1,]",
    "[1] [2]",
    "[1}",
    "[",
  ])("of any other text are refused: %s", (text) => {
    expect(faultOf(() => recordsOf(text))).toBe("syntax");
  });

  it("may follow a byte order mark", () => {
    expect(recordsOf("\ufeff[1]")).toEqual([1]);
  });
});
