import { minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runAlerts } from "#alerts/job.ts";
import { culpritOf, type GrownFunction } from "#alerts/row/stored-alert.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { pathTo } from "./culprit-path.ts";
import { ownFunctions } from "./describe-alert.ts";
import { nearestRelease } from "./nearest-release.ts";

const at = "2026-11-20T12:00:00.000Z";
const nowMs = Date.parse(at);

let server: TestApp;
let ada: Person;

/** Two functions share a name, and the cart's grows. Each release has a folder. */
function inNode(folder: string, cartMs: number) {
  return profileOf(
    `
    main@${folder}/src/main.js:3      main@${folder}/src/main.js:3
    handler@${folder}/src/cart.js:12  handler@${folder}/src/order.js:40
    ${cartMs * 1e6}                   ${100 * 1e6}`,
    { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n },
  );
}

beforeAll(async () => {
  server = await startApp({ at });
  ada = await server.signUp();
  const { headers } = await server.makeKey(ada);
  for (let minute = -90; minute < 0; minute += 2) {
    const priceMs = (minute < -30 ? 100 : 260) + (minute % 5);
    const stacks = `
      net/http.HandlerFunc.ServeHTTP  net/http.HandlerFunc.ServeHTTP
      main.checkout                   main.checkout
      main.price                      database/sql.(*DB).Query
      crypto/sha256.block             syscall.write
      runtime.memmove                 runtime.cgocall
      ${priceMs * 1e6}                ${200 * 1e6}`;
    const profile = profileOf(stacks, {
      sampleTypes: ["cpu/nanoseconds"],
      durationNs: 10_000_000_000n,
    });
    const started = new Date(nowMs + minute * minuteMs).toISOString();
    await server.send(writeProfile(profile), {
      headers,
      query: {
        service: "checkout",
        type: "cpu",
        started_at: started,
        "tag.version": minute < -30 ? "1.7" : "1.8",
      },
    });
    await server.send(writeProfile(inNode(minute < -30 ? "/srv/releases/1" : "/srv/releases/2", priceMs)), {
      headers,
      query: { service: "node", type: "cpu", started_at: started },
    });
  }
  server.clock.advance(2 * minuteMs);
  await runAlerts(server.ctx, { name: "alerts", holder: "this test", lastsMs: 60_000 });
});
afterAll(() => server.close());

it("the culprit is the application's function nearest to the leaf of what grew", async () => {
  const reply = await server.app.inject({ url: "/api/v1/protected/alerts", headers: ada.headers });
  const alert = reply.json().alerts.find(({ service }: { service: string }) => service === "checkout");
  expect(alert.functions[0].name).toBe("runtime.memmove");
  expect(alert.culprit).toMatchObject({ name: "main.price", share: expect.closeTo(1, 1) });
  expect(alert.culprit.path).toEqual(["net/http.HandlerFunc.ServeHTTP", "main.checkout", "main.price"]);
  expect(alert.release).toEqual({ before: "1.7", after: "1.8", at: "2026-11-20T11:30:00.000Z" });
});

it("of functions with one name in two files, the culprit is the one that grew, whatever the folder of its release", async () => {
  const reply = await server.app.inject({
    url: "/api/v1/protected/alerts?service=node",
    headers: ada.headers,
  });
  const [alert] = reply.json().alerts;
  expect(alert.culprit).toMatchObject({
    name: "handler (srv/releases/2/src/cart.js)",
    line: 12,
    share: expect.closeTo(1, 1),
    path: ["main", "handler (srv/releases/2/src/cart.js)"],
  });
  expect(alert.culprit.file).toMatch(/cart\.js$/);
  const names = alert.functions.map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => name.includes("cart.js"))).toEqual([
    "handler (srv/releases/2/src/cart.js)",
  ]);
  const [grown] = alert.functions;
  expect(grown.self_before / 10.2e6).toBeCloseTo(1, 1);
  expect(names).not.toContain("handler (srv/releases/2/src/order.js)");
});

it("functions of the application are told apart from libraries by name and file", () => {
  const functions = [
    { name: "runtime.gopark", file: "/usr/local/go/src/runtime/proc.go" },
    { name: "sync.(*Mutex).Unlock", file: "/usr/local/go/src/sync/mutex.go" },
    { name: "github.com/acme/shop/cart.Price", file: "/app/cart/price.go" },
    { name: "github.com/acme/money.Add", file: "/go/pkg/mod/github.com/acme/money@v1.2.0/add.go" },
    { name: "main.main.deferwrap1", file: "/app/main.go" },
  ];
  const namesOf = (given: typeof functions) => ownFunctions(given).map(({ name }) => name);
  expect(namesOf(functions)).toEqual(["github.com/acme/shop/cart.Price"]);
  expect(namesOf(functions.filter(({ name }) => !name.includes("shop")))).toEqual([
    "github.com/acme/money.Add",
  ]);
  expect(namesOf(functions.slice(0, 2))).toEqual([]);
});

it("nobody is the culprit of less than 5% of an increase", () => {
  const grown = (name: string, ownShare: number): GrownFunction => ({
    name,
    ownShare,
    share: 0,
    totalShare: 0,
    file: "",
    line: 0,
    path: [],
    selfBefore: 0,
    selfAfter: 0,
    totalBefore: 0,
    totalAfter: 0,
  });
  expect(culpritOf([])).toBeUndefined();
  expect(culpritOf([grown("a", 0.04), grown("b", 0.03)])).toBeUndefined();
  expect(culpritOf([grown("a", 0.04), grown("b", 0.3)])?.name).toBe("b");
});

it("leads to the culprit from the root, without the runtime and without the middle of a deep stack", () => {
  const stack = ["runtime.memmove", "sort.Slice", "shop.price", "shop.Handle", "runtime.call", "main.main"];
  expect(pathTo("shop.price", stack)).toEqual(["main.main", "shop.Handle", "shop.price"]);
  expect(pathTo("shop.other", stack)).toEqual([]);
  const deep = Array.from({ length: 40 }, (_, index) => `f${index}`);
  expect(pathTo("f0", deep)).toEqual(["f39", "f38", "f5", "f4", "f3", "f2", "f1", "f0"]);
});

it("names the release nearest to the beginning, of those within an hour", () => {
  const at = (hour: number) => Date.UTC(2026, 10, 20, hour);
  const versions = [
    { version: "1", firstMs: at(0) },
    { version: "2", firstMs: at(10) },
    { version: "3", firstMs: at(11) },
  ];
  expect(nearestRelease(versions, at(11) + 60_000)).toEqual({
    before: "2",
    after: "3",
    at: "2026-11-20T11:00:00.000Z",
  });
  expect(nearestRelease(versions, at(9))?.after).toBe("2");
  expect(nearestRelease(versions, at(13))).toBeNull();
  expect(nearestRelease(versions, at(0))).toBeNull();
});
