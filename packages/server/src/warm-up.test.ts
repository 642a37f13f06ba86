import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { warmUp } from "./warm-up.ts";

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server?.close());

it("reads as the first page does, and draws both kinds of graphs", async () => {
  const names = new Set<string>();
  const drawn: string[] = [];
  const { columns, decoders } = server.ctx;
  await warmUp({
    ...server.ctx,
    columns: {
      ...columns,
      query: (statement, params) => {
        names.add(statement.name);
        return columns.query(statement, params);
      },
    },
    decoders: {
      ...decoders,
      run: (file, name, input, signal) => {
        drawn.push(name);
        return decoders.run(file, name, input, signal);
      },
      open: (file, name, input, signal) => {
        drawn.push(name);
        return decoders.open(file, name, input, signal);
      },
    },
  });
  expect(names).toContain("timeline.usage");
  expect(names).toContain("flame-graph.range-totals");
  expect(names).toContain("profiles.latest-sample-types");
  expect(drawn).toEqual(["drawMergedFlameGraph", "drawComparison"]);
});
