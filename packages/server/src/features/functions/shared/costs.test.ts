import { stacksOf } from "@flamekeep/profile/testing";
import { expect, it } from "vitest";
import { type CostFilter, functionCosts } from "./costs.ts";

const all: CostFilter = { scope: "all", q: "", servicesMin: 1, limit: 10, servicesMax: 10 };

const picture = `
  main.main          main.main          main.walk  main.walk
  encoding/json.Enc  encoding/json.Enc  main.walk  encoding/json.Enc
  encoding/json.Enc  runtime.copy       main.walk  regexp.Match
  1                  1                  1          1`;

/** Each stack of the picture, with the value it has in a service. */
function costsOf(values: readonly (readonly [service: number, leaf: string, value: number])[], filter = {}) {
  const stacks = stacksOf(picture);
  const leafOf = (stack: number) => stacks.frames.functionName[stacks.frame[stacks.start[stack]!]!]!;
  const rows = Array.from({ length: stacks.length }, (_, stack) => stack);
  return functionCosts(
    stacks,
    {
      stack: Uint32Array.from(values, ([, leaf]) => rows.find((stack) => leafOf(stack) === leaf)!),
      service: Uint32Array.from(values, ([service]) => service),
      value: Float64Array.from(values, ([, , value]) => value),
    },
    { ...all, ...filter },
  );
}

const cart = 0;
const shop = 1;
const values = [
  [cart, "encoding/json.Enc", 3],
  [shop, "encoding/json.Enc", 5],
  [shop, "runtime.copy", 2],
  [cart, "main.walk", 4],
  [cart, "regexp.Match", 1],
] as const;

const text = ({ functions }: ReturnType<typeof functionCosts>) =>
  functions.map(({ name, total, self, serviceCount }) => `${name} ${total} ${self} ${serviceCount}`);

it("ranks functions by self, and counts a recursive one once in a stack", () => {
  expect(text(costsOf(values))).toEqual([
    "encoding/json.Enc 11 8 2",
    "main.walk 5 4 1",
    "runtime.copy 2 2 1",
    "regexp.Match 1 1 1",
  ]);
});

it("ranks the functions by which libraries are entered by total", () => {
  expect(text(costsOf(values, { scope: "libraries" }))).toEqual([
    "encoding/json.Enc 11 8 2",
    "runtime.copy 2 2 1",
    "regexp.Match 1 1 1",
  ]);
});

it("lists the services with the largest costs, and counts all", () => {
  const { count, functions } = costsOf(values, { q: "JSON", servicesMin: 2, servicesMax: 1 });
  expect(count).toBe(1);
  expect(functions[0]).toMatchObject({ serviceCount: 2, services: [{ service: shop, total: 7 }] });
});

it("counts the functions beyond the limit, and none without a value", () => {
  const { count, functions } = costsOf(values, { limit: 1 });
  expect([count, functions.length]).toEqual([4, 1]);
  expect(costsOf([[cart, "encoding/json.Enc", 0]]).functions).toEqual([]);
});

it("counts a service whose value is 0 as one without the function", () => {
  const { functions } = costsOf([
    [cart, "encoding/json.Enc", 3],
    [shop, "encoding/json.Enc", 0],
  ]);
  expect(functions[0]).toMatchObject({ serviceCount: 1, services: [{ service: cart, total: 3 }] });
});
