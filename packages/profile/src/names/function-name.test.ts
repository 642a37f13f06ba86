import { describe, expect, it } from "vitest";
import { packageOf, withoutShapes, withoutTypeParameters } from "./function-name.ts";

const cases: [name: string, packageName: string][] = [
  ["main.main", "main"],
  ["runtime.mallocgc", "runtime"],
  ["net/http.(*conn).serve", "net/http"],
  ["net/http.HandlerFunc.ServeHTTP", "net/http"],
  ["github.com/acme/shop/store.(*Cart).Add.func1.2", "github.com/acme/shop/store"],
  ["github.com/acme/shop.init.0", "github.com/acme/shop"],
  ["gopkg.in/yaml%2ev3.(*Decoder).Decode", "gopkg.in/yaml.v3"],
  ["github.com/jackc/pgx/v5.(*Conn).Query", "github.com/jackc/pgx/v5"],
  ["main.(*Server).Close-fm", "main"],
  ["slices.SortFunc[go.shape.[]main.Item,go.shape.struct { a/b.T }]", "slices"],
  ["github.com/a/b.(*List[go.shape.int]).Push", "github.com/a/b"],
  ["github.com/a/b.Map[...]", "github.com/a/b"],
  ["main.keep[int]", "main"],
  ["libc.so.6!0x7f00deadbeef", "libc.so.6"],
  ["tokio::runtime::task::poll", "tokio"],
  ["memeqbody", ""],
  ["(anonymous)", ""],
  ["", ""],
];

describe("parts of a function's name", () => {
  it.each(cases)("%s", (name, packageName) => {
    expect(packageOf(name)).toBe(packageName);
  });

  it("brings the copies of a generic function together, and keeps other type parameters", () => {
    expect(withoutShapes("slices.Max[go.shape.int]")).toBe(withoutShapes("slices.Max[go.shape.string]"));
    expect(withoutShapes("main.keep[int]")).toBe("main.keep[int]");
    const shape = "slices.SortFunc[go.shape.[]main.Item,go.shape.struct { a/b.T }]";
    expect(
      [shape, "github.com/a/b.(*List[go.shape.int]).Push", "github.com/a/b.Map[...]"].map(withoutShapes),
    ).toEqual(["slices.SortFunc", "github.com/a/b.(*List).Push", "github.com/a/b.Map"]);
  });

  it("leaves names with unbalanced brackets as they are", () => {
    for (const name of ["a[[b", "a]b", "[", "[x]"]) expect(withoutTypeParameters(name)).toBe(name);
  });

  it("takes linear time over hostile names", () => {
    const name = "[a/".repeat(200_000) + ".".repeat(200_000) + "]".repeat(200_000);
    expect(typeof packageOf(name)).toBe("string");
    expect(withoutShapes(`${name}[...]`).length).toBeGreaterThan(0);
  });
});
