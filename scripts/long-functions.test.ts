import { expect, it } from "vitest";
import { longFunctions } from "./long-functions.ts";

const lines = (count: number, line: string) => `${line}\n`.repeat(count);

it("counts the lines of JSX, and no blank ones", () => {
  const component = (count: number) =>
    `export function Card() {\n  return (\n    <ul>\n${lines(count, "      <li />")}\n\n    </ul>\n  );\n}`;
  expect(longFunctions("card.tsx", component(4), 10)).toEqual([]);
  expect(longFunctions("card.tsx", component(5), 10)).toEqual(["Card"]);
});

it("names a function by its variable, property or method", () => {
  const body = `{\n${lines(3, "  call();")}}`;
  const text = `
    const add = (one: number) => ${body};
    const table = { remove: () => ${body} };
    class Store { async list() ${body} }
    export function short() {}
    list.map(() => ${body});`;
  expect(longFunctions("store.ts", text, 4)).toEqual(["add", "remove", "list", "(no name)"]);
});
