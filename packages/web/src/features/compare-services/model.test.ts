import type { Project, SharedFunction } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { ownFunctions } from "#profile-list/function-rows.tsx";
import {
  amongText,
  bucketOf,
  figuresOf,
  figuresOfGroup,
  partsOf,
  type Replies,
  type SharedPart,
  type Side,
  sharedCosts,
  sideOfOrganization,
  sideOfProject,
  sideOfService,
} from "./model.ts";
import { compareServicesSearch, otherAddress, readOther } from "./search.ts";

const minuteMs = 60_000;
const unread: Replies = {
  trends: undefined,
  timeline: undefined,
  requests: undefined,
  performance: undefined,
};

function trend(name: string, current: number | null, previous: number | null) {
  return {
    name,
    open_alerts: 0,
    worst_alert: null,
    cpu: { points: [], current, previous },
  } as unknown as NonNullable<Replies["trends"]>[number];
}

function timeline(...points: object[]) {
  return { data_points: points } as unknown as Replies["timeline"];
}

function performance(secondsPerRequest: number | null, heapInUseMb: number | null) {
  return {
    cpu: { seconds_per_request: secondsPerRequest },
    memory: { avg_heap_in_use_mb: heapInUseMb },
  } as unknown as Replies["performance"];
}

describe("the figures of a service", () => {
  it("are joined from its replies", () => {
    const figures = figuresOf(
      "cart",
      {
        trends: [trend("api", 9, 9), trend("cart", 0.6, 0.5)],
        timeline: timeline(
          { memory_bytes: 100, goroutine_count: 8 },
          { memory_bytes: 300, goroutine_count: null },
          { goroutine_count: 10 },
        ),
        requests: { count: 120, avg_duration: 0.1, p95_duration: 0.4, p99_duration: 0.5, error_rate: 0.25 },
        performance: performance(0.02, 200),
      },
      minuteMs,
    );
    expect(figures).toEqual({
      cores: 0.6,
      coresChange: expect.closeTo(0.2),
      memory: 200 * 2 ** 20,
      goroutines: 9,
      cpuPerRequest: 0.02,
      p95: 0.4,
      errors: 25,
      rate: 2,
    });
  });

  it("are undefined until read", () => {
    expect(Object.values(figuresOf("cart", unread, minuteMs))).toEqual(new Array(8).fill(undefined));
  });

  it("are null where the range has no data", () => {
    const figures = figuresOf(
      "cart",
      {
        trends: [trend("api", 9, 9)],
        timeline: timeline({ memory_bytes: null }),
        requests: { count: 0, avg_duration: null, p95_duration: null, p99_duration: null, error_rate: null },
        performance: { cpu: null, memory: null },
      },
      minuteMs,
    );
    const { coresChange, ...others } = figures;
    expect(coresChange).toBeUndefined();
    expect(Object.values(others)).toEqual(new Array(7).fill(null));
  });

  it("have about sixty points in any range", () => {
    expect([minuteMs, 60 * minuteMs, 24 * 60 * minuteMs].map(bucketOf)).toEqual(["1m", "1m", "24m"]);
    expect(bucketOf(3660 * 24 * 60 * minuteMs)).toBe("43200m");
  });
});

function found(name: string, category: string, costs: Record<string, number>): SharedFunction {
  const services = Object.entries(costs)
    .map(([service, total]) => ({ name: service, total, share: 0.1 }))
    .sort((a, b) => b.total - a.total);
  const total = services.reduce((sum, each) => sum + each.total, 0);
  const rest = { ref: name, file: "", package: "", self: 0, services_total: services.length };
  return { name, category, total, services, ...rest };
}

function partOf(sides: readonly Side[], functions: SharedFunction[], all = functions.length): SharedPart {
  const reply = { functions, functions_total: all, services_counted: 100, services_total: 100 };
  return { sides: sides.map(({ key }) => key), reply: reply as unknown as SharedPart["reply"] };
}

function textOf({ found: { name }, costs, difference, largest }: ReturnType<typeof sharedCosts>[number]) {
  return [name, costs.map((cost) => cost?.cores ?? null), difference, largest.service];
}

it("shared functions come with the largest difference first, then the largest total", () => {
  const functions = [
    found("json.Marshal", "json", { api: 3, cart: 2 }),
    found("regexp.Match", "standard_library", { cart: 4, web: 1 }),
    found("sort.Sort", "standard_library", { api: 1, cart: 1, web: 1 }),
    found("gzip.Write", "standard_library", { api: 5, cart: 5, web: 2 }),
  ];
  const sides = ["web", "cart", "api"].map((name) => sideOfService(name));
  const rows = sharedCosts([partOf(sides, functions)], sides);
  expect(rows.map(textOf)).toEqual([
    ["regexp.Match", [1, 4, null], 4, "cart"],
    ["gzip.Write", [2, 5, 5], 3, "cart"],
    ["json.Marshal", [null, 2, 3], 3, "api"],
    ["sort.Sort", [1, 1, 1], 0, "web"],
  ]);
});

it("a group costs as much as its services together, and shares a function with a service that it has", () => {
  const project = { name: "Shop", services: ["cart", "web"] } as Project;
  const sides = [sideOfProject("5f0c", project), sideOfService("cart")];
  const functions = [
    found("json.Marshal", "json", { web: 4, cart: 2 }),
    found("sort.Sort", "standard_library", { web: 1 }),
  ];
  expect(sharedCosts([partOf(sides, functions)], sides).map(textOf)).toEqual([
    ["json.Marshal", [6, 2], 4, "web"],
  ]);
});

it("functions beyond the listed ones may be shared only with a group as a side", () => {
  const project = { name: "Shop", services: ["cart", "web"] } as Project;
  const service = sideOfService("api");
  const functions = ["a", "b"].map((name) => found(name, "json", { cart: 1 }));
  const textOf = (all: number, ...sides: Side[]) => amongText([partOf(sides, functions, all)], sides);
  expect(textOf(3, sideOfProject("5f0c", project), service)).toBe(" among the 2 largest");
  expect(textOf(2, sideOfProject("5f0c", project), service)).toBe("");
  expect(textOf(3, sideOfService("cart"), service)).toBe("");
});

it("a group has the sums of its services, and the latency of all their requests", () => {
  const gauges = [
    { memory_bytes: 100, goroutines: 8 },
    { memory_bytes: 50, goroutines: null },
  ];
  const requests = { count: 120, avg_duration: 0.1, p95_duration: 0.4, p99_duration: 0.5, error_rate: 0.25 };
  const trends = [trend("cart", 0.6, 0.5), trend("web", 0.2, null), trend("other", 9, 9)];
  const side = sideOfProject("5f0c", { name: "Shop", services: ["cart", "web", "later"] } as Project);
  expect(figuresOfGroup(side, { trends, gauges, requests }, minuteMs)).toEqual({
    cores: expect.closeTo(0.8),
    // Only the cart has CPU in the range before.
    coresChange: expect.closeTo(0.2),
    memory: 150,
    goroutines: 8,
    cpuPerRequest: null,
    p95: 0.4,
    errors: 25,
    rate: 2,
  });
  const nothing = { trends: undefined, gauges: undefined, requests: undefined };
  const { cpuPerRequest, ...others } = figuresOfGroup(side, nothing, minuteMs);
  expect([cpuPerRequest, new Set(Object.values(others))]).toEqual([null, new Set([undefined])]);
});

it("a project is named once it is read, and as deleted if there is none", () => {
  const labels = [undefined, null, { name: "Shop", services: ["cart"] } as Project].map((project) => {
    const { label, services } = sideOfProject("5f0c", project);
    return [label, services];
  });
  expect(labels).toEqual([
    ["Loading...", []],
    ["Deleted project", []],
    ["Shop", ["cart"]],
  ]);
});

const acme = {
  address: "3f9a1c07-be52-4d8e-8460-b7c91691e9f4",
  organization: "3f9a1c07-be52-4d8e-8460-b7c91691e9f4",
  organizationName: "Acme",
  isCurrent: false,
};

it("services of the same name in two organizations are two sides, and share the functions of both", () => {
  const own = sideOfService("cart");
  const theirs = sideOfService("cart", { ...acme, address: `${acme.organization}/service/cart` });
  const parts = [
    partOf([own], [found("json.Marshal", "json", { cart: 1 }), found("a", "json", { cart: 9 })]),
    partOf([theirs], [found("json.Marshal", "json", { cart: 4 }), found("b", "json", { cart: 9 })]),
  ];
  const rows = sharedCosts(parts, [own, theirs]);
  expect(partsOf([own, theirs])).toEqual([[own], [theirs]]);
  expect(rows.map(textOf)).toEqual([["json.Marshal", [1, 4], 3, "cart"]]);
  expect([rows[0]?.largest.side, theirs.label, theirs.isElsewhere]).toEqual([theirs, "cart in Acme", true]);
  const cut = [partOf([own], [], 3), ...parts];
  expect(amongText(cut, [own, theirs])).toBe(" among the 2 largest");
});

it("a side keeps its organization and its key once the organizations of the person are read", () => {
  const [before, after] = [false, true].map((isCurrent) => sideOfService("cart", { ...acme, isCurrent }));
  expect(after).toEqual({ ...before, label: "cart", isElsewhere: false });
});

it("all services of an organization cost the whole of a function, with services of a separate reply", () => {
  const all = sideOfOrganization({ ...acme, isCurrent: true });
  const small = sideOfService("small", {
    ...acme,
    address: `${acme.organization}/service/small`,
    isCurrent: true,
  });
  expect(partsOf([all, small])).toEqual([[all], [small]]);
  const listed = { ...found("json.Marshal", "json", { cart: 2, web: 1 }), total: 5 };
  const parts = [partOf([all], [listed]), partOf([small], [found("json.Marshal", "json", { small: 1 })])];
  expect(sharedCosts(parts, [all, small]).map(textOf)).toEqual([["json.Marshal", [5, 1], 4, "cart"]]);
  const counted = parts.map((part) => ({ ...part, reply: { ...part.reply, services_total: 104 } }));
  expect(amongText(counted, [all, small])).toBe(" in the 100 services with the most CPU");
  const trends = [trend("cart", 0.5, null), trend("web", 0.25, null)];
  const figures = figuresOfGroup(all, { trends, gauges: [], requests: undefined }, minuteMs);
  expect([all.label, figures.cores]).toEqual(["All services of Acme", 0.75]);
});

it("the address of a side of an organization is read as it was written", () => {
  const sides = [
    { organization: acme.organization, kind: "service", id: "team/cart\nservice/x" },
    { organization: acme.organization, kind: "project", id: acme.organization },
    { organization: acme.organization, kind: "organization", id: acme.organization },
  ] as const;
  expect(sides.map((side) => readOther(otherAddress(side)))).toEqual(sides);
  const id = acme.organization;
  const bad = ["..", "\ud800", "x".repeat(300), ""].map((name) => `${id}/service/${name}`);
  const read = compareServicesSearch.other([...bad, "nobody", "x/service/cart", `${id}/project/..`, id, 7]);
  expect(read).toEqual([id]);
  expect(compareServicesSearch.service([".", "\ud800", "cart"])).toEqual(["cart"]);
});

it("own functions are the first five of the service's code", () => {
  const own = ["a", "b", "c", "d", "e", "f"].map((name) => found(`main.${name}`, "user_code", { cart: 1 }));
  const functions = [found("runtime.mallocgc", "runtime", { cart: 9 }), ...own];
  expect(ownFunctions(functions).map(({ name }) => name)).toEqual(
    ["a", "b", "c", "d", "e"].map((name) => `main.${name}`),
  );
});
