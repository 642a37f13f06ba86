import { describe, expect, it } from "vitest";
import { packageOf, shortName, withoutShapes, withoutTypeParameters } from "./function-name.ts";

const cases: [name: string, packageName: string, short: string][] = [
  ["main.main", "main", "main.main"],
  ["runtime.mallocgc", "runtime", "runtime.mallocgc"],
  ["net/http.(*conn).serve", "net/http", "http.(*conn).serve"],
  ["net/http.HandlerFunc.ServeHTTP", "net/http", "http.HandlerFunc.ServeHTTP"],
  [
    "github.com/acme/shop/store.(*Cart).Add.func1.2",
    "github.com/acme/shop/store",
    "store.(*Cart).Add.func1.2",
  ],
  ["github.com/acme/shop.init.0", "github.com/acme/shop", "shop.init.0"],
  ["gopkg.in/yaml%2ev3.(*Decoder).Decode", "gopkg.in/yaml.v3", "yaml.v3.(*Decoder).Decode"],
  ["github.com/jackc/pgx/v5.(*Conn).Query", "github.com/jackc/pgx/v5", "v5.(*Conn).Query"],
  ["main.(*Server).Close-fm", "main", "main.(*Server).Close-fm"],
  ["slices.SortFunc[go.shape.[]main.Item,go.shape.struct { a/b.T }]", "slices", "slices.SortFunc"],
  ["github.com/a/b.(*List[go.shape.int]).Push", "github.com/a/b", "b.(*List).Push"],
  ["github.com/a/b.Map[...]", "github.com/a/b", "b.Map"],
  ["main.keep[int]", "main", "main.keep[int]"],
  ["libc.so.6!0x7f00deadbeef", "libc.so.6", "libc.so.6!0x7f00deadbeef"],
  ["tokio::runtime::task::poll", "tokio", "tokio::runtime::task::poll"],
  ["memeqbody", "", "memeqbody"],
  ["(anonymous)", "", "(anonymous)"],
  ["", "", ""],
];

describe("parts of a function's name", () => {
  it.each(cases)("%s", (name, packageName, short) => {
    expect(packageOf(name)).toBe(packageName);
    expect(shortName(name)).toBe(short);
  });

  it("brings the copies of a generic function together, and keeps other type parameters", () => {
    expect(withoutShapes("slices.Max[go.shape.int]")).toBe(withoutShapes("slices.Max[go.shape.string]"));
    expect(withoutShapes("main.keep[int]")).toBe("main.keep[int]");
  });

  it("leaves names with unbalanced brackets as they are", () => {
    for (const name of ["a[[b", "a]b", "[", "[x]"]) expect(withoutTypeParameters(name)).toBe(name);
  });

  it("takes linear time over hostile names", () => {
    const name = "[a/".repeat(200_000) + ".".repeat(200_000) + "]".repeat(200_000);
    expect(typeof packageOf(name)).toBe("string");
    expect(shortName(`${name}x`).length).toBeGreaterThan(0);
  });
});
