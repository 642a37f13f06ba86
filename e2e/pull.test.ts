import { cpSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hasTool, Workshop } from "./harness/run-code.ts";
import { type Account, signUp } from "./harness/sign-up.ts";
import { type Flamekeep, freePort, root, startFlamekeep } from "./harness/start-flamekeep.ts";

const hasGo = hasTool("go", "version");
let flamekeep: Flamekeep;
let account: Account;

beforeAll(async () => {
  const env = { DEMO: "off", PULL_PRIVATE_ADDRESSES: "127.0.0.0/8" };
  flamekeep = await startFlamekeep({ env });
  account = await signUp(flamekeep.url);
});
afterAll(() => flamekeep?.[Symbol.asyncDispose]());

interface Node {
  readonly function_name: string;
  readonly total_value: number;
  readonly children?: readonly Node[];
}

async function call(method: string, path: string, body?: object) {
  const reply = await fetch(`${flamekeep.url}/api/v1/protected/${path}`, {
    method,
    headers: { ...account.headers, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: await reply.json() };
}

function valueIn(node: Node, name: string): number {
  if (node.function_name === name) return node.total_value;
  return (node.children ?? []).reduce((sum, child) => sum + valueIn(child, name), 0);
}

/** The value of a function in the flame graph of the last hour; 0 while there is none. */
async function pulled(type: string, name: string, sampleType?: string): Promise<number> {
  const query = sampleType === undefined ? "" : `&sample_type=${sampleType}`;
  const { status, body } = await call("GET", `flamegraph/service/pulled/${type}?since=1h${query}`);
  return status === 200 && body.root ? valueIn(body.root, name) : 0;
}

test.skipIf(!hasGo)(
  "a Go service without an SDK is pulled: CPU, memory in use and goroutines have its figures",
  async () => {
    await using shop = new Workshop({ PORT: String(await freePort()) });
    cpSync(`${root}examples/pulled`, shop.folder, { recursive: true });
    await shop.shell("go build -o pulled .", { GOFLAGS: "-mod=mod", GOPROXY: "off", GOTOOLCHAIN: "local" });
    const program = shop.start("./pulled");
    const found = () => /serves \/debug\/pprof at (\S+)/.exec(program.output())?.[1];
    while (found() === undefined) {
      if (program.hasEnded()) throw new Error(program.output());
      await sleep(50);
    }
    const place = found()!;
    const target = {
      name: "pulled",
      service: "pulled",
      source: { kind: "url", url: `http://${place}` },
      interval_seconds: 10,
      profiles: ["cpu", "heap", "goroutine"],
      tags: { env: "test" },
    };
    const tested = await call("POST", "targets/test", target);
    expect(tested.body.instances[0].profiles.map(({ error }: { error: string | null }) => error)).toEqual([
      null,
      null,
      null,
    ]);
    expect((await call("POST", "targets", target)).status).toBe(201);
    const isThere = async () =>
      (await pulled("cpu", "main.countWords")) > 0 &&
      (await pulled("goroutine", "main.waitForOrders")) > 0 &&
      (await pulled("memory", "main.fillLedger", "inuse_space")) > 0;
    while (!(await isThere())) {
      if (program.hasEnded()) throw new Error(program.output());
      await sleep(500);
    }
    // A collection that begins below the function allocates an object of its own there.
    const bytes = await pulled("memory", "main.fillLedger", "inuse_space");
    expect(bytes).toBeGreaterThanOrEqual(64 * 2 ** 20);
    expect(bytes).toBeLessThan(64 * 2 ** 20 + 10_000);
    const objects = await pulled("memory", "main.fillLedger", "inuse_objects");
    expect(objects).toBeGreaterThanOrEqual(64);
    expect(objects).toBeLessThan(70);
    expect(await pulled("goroutine", "main.waitForOrders")).toBe(25);
    // Samples of 10 ms while nearly one core works: nothing but this function and the loop around it uses it.
    expect(await pulled("cpu", "main.countWords")).toBeGreaterThan(0.5 * (await pulled("cpu", "main.work")));
    const [profile] = (await call("GET", "profiles?service=pulled&limit=1")).body.profiles;
    expect(profile.tags).toMatchObject({ env: "test", instance: place });
    const [state] = (await call("GET", "targets")).body.targets;
    expect(state).toMatchObject({ instance_count: 1, failing: 0, discovery_error: null });
    expect(state.instances[0].instance).toBe(place);
  },
  300_000,
);
