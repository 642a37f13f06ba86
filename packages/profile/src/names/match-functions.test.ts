import { describe, expect, it } from "vitest";
import { matchFunctions, side } from "./match-functions.ts";

/** Each row is a side and a function: `before handler /srv/a.py 3`. */
function matches(...rows: readonly string[]): string[] {
  const parts = rows.map((row) => row.split(" "));
  const matched = matchFunctions(
    {
      name: parts.map(([, name]) => name),
      file: parts.map(([, , file]) => file ?? ""),
      startLine: parts.map(([, , , line]) => Number(line ?? 0)),
    },
    Uint8Array.from(parts, ([each]) => (each === "both" ? 3 : side[each as keyof typeof side])),
  );
  return Array.from(matched.entries())
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => `${rows[from]} = ${rows[to]}`);
}

describe("functions of two sides", () => {
  it("match by the longest common end of their paths", () => {
    expect(
      matches(
        "before run /srv/v1/api/cart.py",
        "before run /srv/v1/web/cart.py",
        "after run /opt/v2/web/cart.py",
        "after run /opt/v2/api/cart.py",
      ),
    ).toEqual([
      "before run /srv/v1/api/cart.py = after run /opt/v2/api/cart.py",
      "before run /srv/v1/web/cart.py = after run /opt/v2/web/cart.py",
    ]);
  });

  it("stay apart where two could be meant, where the file is another one, and where both sides have them", () => {
    expect(matches("before run v1/a.py", "after run v2/a.py", "after run v3/a.py")).toEqual([]);
    expect(matches("before run v1/a.py", "after run v2/b.py", "after go v2/a.py")).toEqual([]);
    expect(matches("both run v1/a.py", "after run v2/a.py")).toEqual([]);
  });

  it("match where the lines of an anonymous function have moved, and where a side has no files", () => {
    expect(matches("before (anonymous) a.js 4", "after (anonymous) a.js 9")).toEqual([
      "before (anonymous) a.js 4 = after (anonymous) a.js 9",
    ]);
    expect(
      matches("before (anonymous) a.js 4", "after (anonymous) a.js 9", "after (anonymous) a.js 12"),
    ).toEqual([]);
    expect(matches("before run", "after run a.js")).toEqual(["before run = after run a.js"]);
  });
});
