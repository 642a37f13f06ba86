import { expect, it } from "vitest";
import type { Advice } from "#analysis/advice/recommendations.ts";
import { withHiddenWork } from "./hidden-work.ts";

function hotFunction(name: string, file: string, line: number, change: Partial<Advice> = {}): Advice {
  return {
    category: "cpu_optimization",
    priority: "low",
    confidence: 0.5,
    issue: `${name} takes 40% of CPU: look here first`,
    impact: "It takes 0.4 cores.",
    solution: "Open it.",
    rule: "hot-function",
    sampleType: "cpu",
    saving: 0,
    share: 0.4,
    functions: [{ name, file, line, selfShare: 0.4, totalShare: 0.4, isVerified: true }],
    path: [],
    ...change,
  };
}

async function issueOf(language: "node" | "python" | "go", source: string, line = 1, change = {}) {
  const [advice] = await withHiddenWork(
    [hotFunction("rate", "/srv/rate.js", line, change)],
    language,
    async ({ file }) => (file === "/srv/rate.js" ? source.split("\n") : undefined),
  );
  return advice!.issue;
}

const js = `function rate(code) {
  // new RegExp() would be slow
  for (const rule of rules) if (code.trim() === rule) return 1;
  return BODY;
}
function other() {
  return rows.sort();
}
`;

it.each([
  ["new RegExp(`^${zone}`)", "building regular expressions (line 4)"],
  ["JSON.parse(JSON.stringify(order))", "a deep copy (line 4)"],
  ["amount.toLocaleString()", "formatting by locale (Intl) (line 4)"],
  ["[...rows].sort(byName)", "sorting (line 4)"],
  ["rows.find(({ id }) => id === code)", "searching arrays from their start (line 4)"],
  ["queue.shift()", "moving all elements of an array (shift, splice) (line 4)"],
])("names what a function of Node calls, of its own lines only: %s", async (body, work) => {
  expect(await issueOf("node", js.replace("BODY", body))).toContain(`most likely in ${work}: `);
});

it("says nothing about a function whose lines call nothing of the table", async () => {
  expect(await issueOf("node", js.replace("BODY", "code.length * 2"))).toBe(
    "rate takes 40% of CPU: look here first",
  );
});

it("knows statements that the file prepared, and maps that have the same methods", async () => {
  const body = "byCode.get(code)";
  expect(await issueOf("node", js.replace("BODY", body))).not.toContain("queries");
  const prepared = `${js.replace("BODY", body)}const byCode = db.prepare("SELECT 1");\n`;
  expect(await issueOf("node", prepared)).toContain("database queries (line 4)");
});

it.each([
  ["    if address in unsubscribed:", "searching a list"],
  ["    return [a for a in addresses if a not in unsubscribed]", "searching a list"],
  ["    for a in addresses:", "a loop in Python"],
  ["    text += b'<item>' + row", "appending to a text"],
  ["    row = db.execute(query, (sku,)).fetchone()", "database queries"],
  ["    place = queue.pop(0)", "moving all elements of a list"],
  ["    total = total + photo[y, x, 0]", "numpy element by element"],
])("names what the hot line of Python does: %s", async (line, work) => {
  expect(await issueOf("python", `def rate(x):\n    rows = sorted(x)\n\n\n${line}\n`, 5)).toContain(work);
});

it("leaves alone what a rule explains, what is not the function's own time, and other languages", async () => {
  const source = js.replace("BODY", "rows.sort()");
  const unchanged = "rate takes 40% of CPU: look here first";
  expect(await issueOf("node", source)).toContain("sorting");
  expect(await issueOf("node", source, 1, { rule: "node-logging" })).toBe(unchanged);
  expect(await issueOf("node", source, 1, { share: 0.9 })).toBe(unchanged);
  expect(await issueOf("go", source)).toBe(unchanged);
});
