import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stacksBySet, totalsBySet } from "#stacks/ranges/label-parts.ts";
import { readByLabels } from "#stacks/ranges/label-sources.ts";
import { labelled } from "#testing/labelled-profile.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

let server: TestApp;
let person: Person;

const startMs = Date.parse("2026-11-20T10:00:00Z");
const minuteMs = 60_000;
/** In minutes after the start. The server's time is within the third hour. */
const profiles = fc.sample(
  fc.record({
    minute: fc.integer({ min: 0, max: 149 }),
    samples: fc.array(
      fc.record(
        {
          handler: fc.constantFrom("/cart", "/checkout", "/a:b'\\"),
          constructor: fc.constantFrom("acme", "globex"),
        },
        { requiredKeys: [] },
      ),
      { minLength: 3, maxLength: 3 },
    ),
  }),
  { numRuns: 60, seed: 11 },
);

beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: "2026-11-20T12:30:30.000Z" });
  person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const sending = profiles.map(({ minute, samples }, index) => {
    const startedAt = new Date(startMs + minute * minuteMs + index).toISOString();
    const query = { service: "shop", type: "cpu", started_at: startedAt, "tag.all": "yes" };
    return server.send(labelled(samples), { headers, query });
  });
  await Promise.all(sending);
});
afterAll(() => server.close());

/** Replies of calls about labels, without what differs between two replies with the same content. */
async function replies(from: number, to: number, tags: string): Promise<unknown[]> {
  const range = `from=${startMs + from * minuteMs}&to=${startMs + to * minuteMs}${tags}`;
  const filters = ["", "&labels=handler:/checkout", "&labels=handler:&labels=constructor:acme"];
  const paths = filters.flatMap((filter) => [
    `flamegraph/service/shop/cpu?${range}${filter}`,
    `flamegraph/service/shop/cpu?${range}${filter}&group_by_label=handler`,
    `labels/service/shop/cpu?${range}${filter}`,
  ]);
  return Promise.all(
    paths.map(async (path) => {
      const reply = await server.app.inject({ url: `/api/v1/protected/${path}`, headers: person.headers });
      expect(reply.statusCode, path).toBe(200);
      const { profile_hash: _, tags: __, ...content } = reply.json();
      return content;
    }),
  );
}

// A filter by tags reads the profiles themselves.
test("ranges that move have the same answers from cached sums as from the profiles", async () => {
  const ranges = [
    [3, 63],
    [4, 64],
    [5, 65],
    [65, 140],
    [0, 150],
    [100, 101],
    [7, 149],
  ] as const;
  for (const [from, to] of ranges) {
    const cached = await replies(from, to, "");
    expect(cached).toEqual(await replies(from, to, "&tags=all:yes"));
    expect(JSON.stringify(cached)).toContain("/checkout");
  }
});

test("a profile that comes later is in the next answer", async () => {
  const before = await replies(60, 150, "");
  const { headers } = await server.makeKey(person);
  const query = {
    service: "shop",
    type: "cpu",
    started_at: "2026-11-20T12:01:07Z",
    "tag.all": "yes",
  };
  await server.send(labelled([{ handler: "/late" }, { handler: "/checkout" }, {}]), { headers, query });
  const after = await replies(60, 150, "");
  expect(after).not.toEqual(before);
  expect(JSON.stringify(after)).toContain("/late");
  expect(after).toEqual(await replies(60, 150, "&tags=all:yes"));
});

test("a range with too many sets of labels is read from its profiles", async () => {
  const { headers } = await server.makeKey(person);
  const at = startMs + 10 * minuteMs;
  const query = { service: "many", type: "cpu", started_at: new Date(at).toISOString() };
  await server.send(labelled([{ handler: "/cart" }, { handler: "/checkout" }, {}]), { headers, query });
  const { columns } = server.ctx;
  const range = {
    orgId: person.orgId,
    service: "many",
    type: "cpu" as const,
    sampleType: "cpu/nanoseconds",
    additionalType: "",
    tagNames: [] as string[],
    tagValues: [] as string[][],
    from: new Date(at),
    to: new Date(at + minuteMs),
  };
  const read = async (sets: "stacks" | "totals", setsMax: number) => {
    const others = { rolled: async () => "rolled", profiles: async () => "profiles" };
    const { parts, answers } =
      sets === "stacks"
        ? await readByLabels(columns, range, { ...others, parts: stacksBySet(columns, setsMax) })
        : await readByLabels(columns, range, { ...others, parts: totalsBySet(columns, setsMax) });
    return { parts: parts.length, answers };
  };
  for (const sets of ["stacks", "totals"] as const) {
    expect(await read(sets, 2)).toEqual({ parts: 0, answers: ["profiles"] });
    // Until there is another profile, nobody tries again.
    expect(await read(sets, 3)).toEqual({ parts: 0, answers: ["profiles"] });
  }
  await server.send(labelled([{ handler: "/cart" }, { handler: "/checkout" }, {}]), {
    headers,
    query: { ...query, started_at: new Date(at + 1).toISOString() },
  });
  expect((await read("stacks", 3)).answers).toEqual([]);
  expect((await read("stacks", 3)).parts).toBe(3);
  expect(await read("totals", 3)).toEqual({ parts: 2, answers: [] });
});
