import { expect, test } from "vitest";
import { cleanTags } from "./tags.ts";

const cleaned = (labels: [string, string][]) => [...cleanTags(labels).tags];

test("keeps labels about the service and drops those about the sender", () => {
  expect(
    cleaned([
      ["version", "1.2.3"],
      ["__session_id__", "77e425ea48b3919f"],
      ["otel.scope.name", "com.grafana.pyroscope/go"],
      ["process.runtime.name", "go"],
      ["process.runtime.version", "go1.23.5"],
      ["region", "eu"],
      ["empty", ""],
    ]),
  ).toEqual([
    ["go_version", "go1.23.5"],
    ["process.runtime.name", "go"],
    ["region", "eu"],
    ["version", "1.2.3"],
  ]);
});

test("hostile names are kept as text", () => {
  expect(
    cleaned([
      ["constructor", "x"],
      ["toString", "<script>"],
      ["a\u0000b\n", "\ud800\u202e"],
    ]),
  ).toEqual([
    ["a\ufffdb\ufffd", "\ufffd\ufffd"],
    ["constructor", "x"],
    ["toString", "<script>"],
  ]);
});

test("counts the parts that limits remove", () => {
  const many = Array.from({ length: 40 }, (_, i): [string, string] => [
    `k${String(i).padStart(2, "0")}`,
    "v",
  ]);
  const { tags, trimmed } = cleanTags([...many, ["a", "x".repeat(2000)]]);
  expect(tags.size).toBe(32);
  expect(tags.get("a")?.length).toBe(1024);
  expect(trimmed).toEqual({ tags: 9, tag_text: 1 });
});

test("keeps first what tells services, instances and releases apart, and names the tags that it drops", () => {
  const others = Array.from({ length: 40 }, (_, i): [string, string] => [
    `a${String(i).padStart(2, "0")}`,
    "v",
  ]);
  const important = ["version", "service", "instance", "region", "env", "namespace", "pod"];
  const labels = [...others, ...important.map((name): [string, string] => [name, "x"])];
  const { tags, trimmed, dropped } = cleanTags(labels);
  expect(tags.size).toBe(32);
  expect([...tags.keys()].slice(25)).toEqual(important.toSorted());
  expect(trimmed.tags).toBe(15);
  expect(dropped).toEqual(others.slice(25).map(([name]) => name));
  // The order of a sender changes nothing, or one series would become several.
  expect(cleanTags(labels.toReversed()).tags).toEqual(tags);
});

test("names dropped tags only where no tag of the name is stored", () => {
  expect(
    cleanTags([
      ["__x", "1"],
      ["a", ""],
      ["a", "1"],
      ["b", " "],
      ["", "c"],
    ]).dropped,
  ).toEqual(["__x", "b"]);
  const many = Array.from({ length: 200 }, (_, i): [string, string] => [`k${i}`, "v"]);
  expect(cleanTags(many).dropped).toHaveLength(40);
});

test("counts tags that are left out or replaced, and none that an SDK adds by itself", () => {
  const trimmedOf = (...labels: [string, string][]) => cleanTags(labels).trimmed;
  expect(trimmedOf(["__session_id__", "77e4"], ["otel.scope.name", "x"], ["a", " b "])).toEqual({
    tags: 0,
    tag_text: 0,
  });
  expect(trimmedOf(["__x", "1"], ["a", ""], ["", "b"], ["c", " "])).toEqual({ tags: 4, tag_text: 0 });
  expect(trimmedOf(["a", "1"], ["a", "2"], ["b", "1"], ["b", "1"])).toEqual({ tags: 1, tag_text: 0 });
  expect(trimmedOf(["a\u0000", "\u0007"], ["b", "\ud800"])).toEqual({ tags: 0, tag_text: 3 });
});
