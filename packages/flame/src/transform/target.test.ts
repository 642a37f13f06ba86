import { describe, expect, it } from "vitest";
import { buildCallTree } from "#tree/build-call-tree.ts";
import { stacksOf } from "../testing/index.ts";
import { moduleOf, ownModules } from "./target.ts";

describe("the module of package main", () => {
  it.each([
    ["shop/cmd/shop/router.go", "shop"],
    ["github.com/acme/shop/cmd/shop/main.go", "github.com/acme/shop"],
    ["github.com/acme/shop@v1.2.0/cmd/shop/main.go", "github.com/acme/shop"],
    ["/go/pkg/mod/github.com/!acme/shop@v1.2.0/cmd/shop/main.go", "github.com/Acme/shop"],
  ])("is that of its file %s", (file, expected) => {
    expect(moduleOf("main", file)).toBe(expected);
  });

  it.each([
    "",
    "main.go",
    "./main.go",
    "/src/shop/main.go",
    "C:/src/shop/main.go",
    "command-line-arguments/main.go",
    "_/home/ada/shop/main.go",
    "_cgo_gotypes.go",
    "encoding/json/main.go",
    "app/main.py",
  ])("is main where its file %s does not show one", (file) => {
    expect(moduleOf("main", file)).toBe("main");
  });

  it("is one with the other packages of the program", () => {
    const stacks = "main.main@shop/cmd/shop/main.go:3;shop/cart.Add@shop/cart/cart.go:9 1";
    expect(ownModules(buildCallTree(stacksOf(stacks), 0).functions)).toEqual(["shop"]);
  });
});
