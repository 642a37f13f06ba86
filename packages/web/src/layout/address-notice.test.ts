// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { readCompareSearch, readServiceSearch } from "../page-search.ts";
import { type IgnoredValue, ignoredSegment, ignoredValues, insteadOf } from "./address-notice.tsx";

const inService = (raw: Record<string, unknown>) => ignoredValues(raw, readServiceSearch(raw));
const hours = { from: "2026-11-20T10:00:00Z", to: "2026-11-20T12:00:00Z" };

describe("the values of an address that are ignored", () => {
  it.each<[Record<string, unknown>, IgnoredValue[]]>([
    [{}, []],
    [{ range: "24h", q: "x", size: 25, tags: { region: "eu" }, ...hours }, []],
    [{ range: "fortnight" }, [{ name: "range", value: "fortnight" }]],
    [
      { ...hours, to: "noon" },
      [
        { name: "to", value: "noon" },
        { name: "from", value: hours.from },
      ],
    ],
    [
      { ...hours, from: "2026-02-30T10:00:00Z" },
      [
        { name: "from", value: "2026-02-30T10:00:00Z" },
        { name: "to", value: hours.to },
      ],
    ],
    [
      { selection: "2026-02-30T10:00:00Z/2026-03-03T10:00:00Z" },
      [{ name: "selection", value: "2026-02-30T10:00:00Z/2026-03-03T10:00:0…" }],
    ],
    [{ from: hours.from }, [{ name: "from", value: hours.from }]],
    [
      { from: hours.to, to: hours.from },
      [
        { name: "from", value: hours.to },
        { name: "to", value: hours.from },
      ],
    ],
    [{ tags: "region" }, [{ name: "tags", value: "region" }]],
    [{ tags: { region: 1 } }, [{ name: "tags", value: '{"region":1}' }]],
    [{ selection: "now" }, [{ name: "selection", value: "now" }]],
    [
      { bucket: "2h", size: 7 },
      [
        { name: "size", value: "7" },
        { name: "bucket", value: "2h" },
      ],
    ],
    [{ page: "two" }, [{ name: "page", value: "two" }]],
    // Without the cursor of the row before, a page is not known.
    [{ page: 3 }, [{ name: "page", value: "3" }]],
    [{ page: 3, after: "abc" }, []],
    [{ page: 1 }, []],
    [{ utm_source: "mail" }, []],
  ])("%j", (raw, ignored) => expect(inService(raw)).toEqual(ignored));

  it("are those of the sides of a comparison too", () => {
    const raw = { type: "cpus", before_from: "soon" };
    expect(ignoredValues(raw, readCompareSearch(raw)).map(({ name }) => name)).toEqual([
      "type",
      "before_from",
    ]);
  });

  it("are short and readable", () => {
    expect(inService({ range: `a\u202eb${"x".repeat(100)}` })[0]!.value).toBe(`a\ufffdb${"x".repeat(36)}…`);
  });

  it.each([
    ["cpu", undefined],
    ["CPU", undefined],
    ["all", undefined],
    ["metrics", undefined],
    [undefined, undefined],
    ["cpus", { name: "type", value: "cpus" }],
  ])("have the type %s of a path", (segment, ignored) => expect(ignoredSegment(segment)).toEqual(ignored));
});

it("are named with what is used instead, once for each", () => {
  const names = ["from", "to", "page", "after", "tags", "type", "bucket"];
  expect(
    insteadOf(
      names.map((name) => ({ name, value: "" })),
      "Last 24 hours",
    ),
  ).toEqual(["the last 24 hours", "the first page", "no tag filter", "all types"]);
});
