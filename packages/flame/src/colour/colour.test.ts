import { describe, expect, it } from "vitest";
import { stacksOf } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import type { FunctionTable } from "../tree/call-tree.ts";
import { languageOf, languagesOf } from "./language.ts";
import { fromHex, luminance, oklch, toHex } from "./oklch.ts";
import { packageColour, packageColours } from "./package-colour.ts";
import { heatStep, inkOn, legendOf, nodeColours, paletteOf, rampPosition } from "./scheme.ts";
import { type Scheme, schemes } from "./scheme-names.ts";
import { subsystemOf, subsystems } from "./subsystem.ts";

/** A table with a function of each package, and of each package in its file. */
function functionsOf(
  packages: readonly (string | readonly [packageName: string, file: string])[],
): FunctionTable {
  const rows = ["", ...packages].map((each) => (typeof each === "string" ? ([each, ""] as const) : each));
  return {
    length: rows.length,
    name: rows.map(([packageName]) => (packageName === "" ? "" : `${packageName}.F`)),
    packageName: rows.map(([packageName]) => packageName),
    file: rows.map(([, file]) => file),
    startLine: new Int32Array(rows.length),
  };
}

describe("colour schemes", () => {
  it.each(schemes.flatMap((scheme) => (["light", "dark"] as const).map((theme) => [scheme, theme] as const)))(
    "%s, %s: has a colour for every id, with ink of at least 4.5:1",
    (scheme, theme) => {
      const palette = paletteOf(scheme, theme);
      expect(palette.length).toBeGreaterThanOrEqual(9);
      for (const colour of palette) {
        expect(colour).toMatch(/^#[0-9a-f]{6}$/u);
        const [a, b] = [luminance(fromHex(colour)), luminance(fromHex(inkOn(colour)))];
        expect((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  it("colours by share of the whole, or by function", () => {
    const tree = buildCallTree(stacksOf("main.a;runtime.gc 85\nnet/http.b 15"), 0);
    const idsOf = (scheme: Scheme) =>
      Array.from({ length: tree.length }, (_, node) => nodeColours(tree, scheme)(node));
    expect(idsOf("heat")).toEqual([8, 8, 4, 0]);
    expect(idsOf("plasma").slice(0, 2)).toEqual([19, 17]);
    expect(idsOf("subsystem").map((id) => legendOf("subsystem", "light", tree.functions)[id].label)).toEqual([
      "other",
      "application",
      "http",
      "runtime",
    ]);
    expect(idsOf("package")[1]).toBe(packageColour("main", "own"));
    const palette = paletteOf("language", "light");
    expect(new Set(idsOf("language").map((id) => palette[id]))).toEqual(
      new Set(legendOf("language", "light", tree.functions).map(({ colour }) => colour)),
    );
  });

  it("lists the languages of the functions, and no others", () => {
    const labels = (names: readonly string[]) =>
      legendOf("language", "light", functionsOf(names)).map(({ label }) => label);
    expect(labels(["[kernel.kallsyms]", "java/util/HashMap.get"])).toEqual(["kernel", "JVM"]);
    expect(labels([])).toEqual([]);
  });

  it("steps heat above 80, 60, 40, 20, 10, 5, 2 and 1 percent", () => {
    expect([100, 80, 60, 40, 20, 10, 5, 2, 1, 0].map(heatStep)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 8]);
  });

  it("has legend stops at 0, 10, 25, 50, 75 and 100 percent, equally far apart", () => {
    expect(legendOf("viridis", "light", functionsOf([])).map((entry) => entry.label)).toEqual([
      "0%",
      "10%",
      "25%",
      "50%",
      "75%",
      "100%",
    ]);
    expect([0, 10, 25, 50, 75, 100].map(rampPosition)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });

  it("gives a package the same colour whatever else is in the picture", () => {
    const names = Array.from({ length: 300 }, (_, id) => `shop/internal/pkg${id}`);
    const whole = packageColours(functionsOf(names));
    const some = packageColours(functionsOf(names.toReversed().filter((_, at) => at % 7 === 0)));
    expect(some.size).toBeGreaterThan(40);
    for (const [name, colour] of some) expect(colour).toBe(whole.get(name));
    // Most of the colours are in use.
    expect(new Set(whole.values()).size).toBeGreaterThan(80);
    const legend = legendOf("package", "light", functionsOf(["net/http", "main"]));
    expect(legend.map(({ label }) => label)).toEqual(["net/http", "main"]);
  });

  it.each([
    ["main", "", "own"],
    ["shop/internal/pricing", "", "own"],
    ["github.com/acme/shop/cart", "/src/shop/cart/cart.go", "own"],
    ["com/acme/shop/Cart", "Cart.java", "own"],
    ["github.com/rs/zerolog", "/go/pkg/mod/github.com/rs/zerolog@v1.30.0/log.go", "library"],
    ["github.com/rs/zerolog", "", "library"],
    ["golang.org/x/net/http2", "", "library"],
    ["", "/src/shop/native.c", "library"],
    ["runtime", "/usr/local/go/src/runtime/malloc.go", "platform"],
    ["runtime/internal/sys", "", "platform"],
    ["net/http", "", "platform"],
    ["vendor/golang.org/x/crypto/chacha20", "", "platform"],
    ["java/util/HashMap", "HashMap.java", "platform"],
    ["core", "/rustc/1.80/library/core/src/ops.rs", "platform"],
    ["node_modules/koa", "/app/node_modules/koa/lib/app.js", "library"],
    ["./src/api", "/app/src/api/cart.js", "own"],
    ["node:internal", "node:internal/timers", "platform"],
    ["python/json", "/usr/lib/python3.12/json/decoder.py", "platform"],
    ["libc.so", "/usr/lib/libc.so.6", "library"],
  ] as const)("%s in %j is %s code", (name, file, family) => {
    const colours = packageColours(functionsOf([[name, file]]));
    expect(colours.get(name)).toBe(packageColour(name, family));
  });

  it("tells the files of Node and Python apart, whose names have no package", () => {
    const frames = "main@/app/a.js:1;resolve@node:path:2;run@/app/node_modules/koa/x.js:3";
    const { functions } = buildCallTree(stacksOf(`${frames};get@/app/lib/b.js:4;(program) 1`), 0);
    const legend = legendOf("package", "light", functions);
    expect(legend.map(({ label }) => label)).toEqual(["a.js", "node:path", "node_modules/koa", "./lib", ""]);
    expect(new Set(legend.map(({ colour }) => colour)).size).toBe(5);
  });

  it("knows the module of a package by its files, not by files that Go generates", () => {
    const generated = ["github.com/rs/zerolog", "<autogenerated>"] as const;
    const own = ["github.com/acme/shop/cart", "/src/shop/cart/cart.go"] as const;
    const colours = packageColours(
      functionsOf([generated, ["github.com/acme/shop/cart", ""], own, ["net/http", "/src/shop/http.go"]]),
    );
    expect(Object.fromEntries(colours)).toEqual({
      "github.com/rs/zerolog": packageColour("github.com/rs/zerolog", "library"),
      "github.com/acme/shop/cart": packageColour("github.com/acme/shop/cart", "own"),
      "net/http": packageColour("net/http", "platform"),
    });
  });

  it.each(["light", "dark"] as const)(
    "%s: own code is the most saturated, runtimes are nearly grey",
    (theme) => {
      const palette = paletteOf("package", theme);
      const spread = (family: "own" | "library" | "platform") => {
        const names = Array.from({ length: 200 }, (_, id) => `pkg${id}`);
        const parts = names.map((name) => fromHex(palette[packageColour(name, family)]!));
        return Math.max(...parts.map((rgb) => Math.max(...rgb) - Math.min(...rgb)));
      };
      const least = Math.min(
        ...Array.from({ length: 200 }, (_, id) => fromHex(palette[packageColour(`pkg${id}`, "own")]!)).map(
          (rgb) => Math.max(...rgb) - Math.min(...rgb),
        ),
      );
      expect(spread("platform")).toBeLessThan(spread("library"));
      expect(spread("library")).toBeLessThan(least + 30);
      expect(spread("platform")).toBeLessThan(25);
      expect(least).toBeGreaterThan(40);
    },
  );

  it("converts OKLCH to sRGB", () => {
    expect(toHex(oklch(1, 0, 0))).toBe("#ffffff");
    expect(toHex(oklch(0.628, 0.2577, 29.23))).toBe("#ff0000");
  });
});

it.each([
  ["main.hash", "/app/main.go", "Go"],
  ["memeqbody", "internal/bytealg/equal_amd64.s", "Go"],
  ["schedule", "vmlinux", "kernel"],
  ["tcp_ack", "[kernel.kallsyms]", "kernel"],
  ["nf_hook", "/lib/modules/6.1/nf_tables.ko.xz", "kernel"],
  ["libc.so.6!0x1f", "", "native"],
  ["malloc", "/usr/lib/libc.so.6", "native"],
  ["hash", "C:\\src\\hash.cpp", "native"],
  ["hash_prices", "src/main.rs", "Rust"],
  ["Checkout.hashPrices", "Checkout.java", "JVM"],
  ["hash_prices", "checkout.py", "Python"],
  ["hashPrices", "webpack://shop/checkout.mjs", "JavaScript"],
  ["listOnTimeout", "node:internal/timers", "JavaScript"],
  ["Cart#total", "app/models/cart.rb", "Ruby"],
  ["Cart::total", "/srv/cart.php", "PHP"],
  ["Cart.Total", "Cart.cs", ".NET"],
  ["(garbage collector)", "", "other"],
  ["java/util/HashMap.get", "", "JVM"],
  ["jdk/internal/reflect/GeneratedMethodAccessor_.invoke", "", "JVM"],
  ["java/util/HashMap.get(Ljava/lang/Object;)Ljava/lang/Object;", "", "JVM"],
  ["java/lang/Thread.run_[j]", "", "JVM"],
  ["libjvm.so.JavaThread::run", "", "native"],
  ["/usr/lib/libz.so.1.2.13", "", "native"],
  ["do_syscall_64_[k]", "", "kernel"],
  ["[kernel.kallsyms].do_syscall_64", "", "kernel"],
  ["net/http.(*Server).Serve", "", "other"],
  ["net/http.HandlerFunc.ServeHTTP", "", "other"],
  ["github.com/acme/Shop.(*Cart).Add", "", "other"],
  ["github.com/acme/Shop.Add", "", "other"],
])("the language of %s in %j is %s", (name, file, language) => {
  expect(languageOf(name, file)).toBe(language);
});

it("distinguishes methods without a package from native code by the other functions of a picture", () => {
  const name = ["root", "Shop$Cart.add", "Shop.<init>_[1]", "JavaThread::run", "__GI_write", "[unknown]"];
  const languagesIn = (names: readonly string[]) =>
    languagesOf({ ...functionsOf(names.slice(1)), name: names }).slice(0, name.length);
  expect(languagesIn(name)).toEqual(Array(6).fill("other"));
  expect(languagesIn([...name, "java/lang/Thread.run"])).toEqual([
    "other",
    "JVM",
    "JVM",
    "native",
    "native",
    "other",
  ]);
});

describe("subsystemOf", () => {
  it.each([
    ["runtime", "/usr/local/go/src/runtime/malloc.go", "runtime"],
    ["", "/usr/local/go/src/runtime/asm_amd64.s", "runtime"],
    ["", "internal/bytealg/equal_amd64.s", "runtime"],
    ["", "/usr/local/go/src/crypto/md5/md5block_amd64.s", "crypto"],
    ["", "/app/native.c", "application"],
    ["net", "", "network"],
    ["net/http", "", "http"],
    ["net/http/internal", "", "http"],
    ["os", "", "io"],
    ["os/exec", "", "system"],
    ["sync/atomic", "", "sync"],
    ["crypto/tls", "", "crypto"],
    ["encoding/json", "", "encoding"],
    ["database/sql", "", "database"],
    ["github.com/jackc/pgx/v5", "/go/pkg/mod/github.com/jackc/pgx/v5@v5.5.0/conn.go", "database"],
    ["golang.org/x/text/unicode", "", "extended-stdlib"],
    ["golang.org/x/crypto/argon2", "", "crypto"],
    ["strings", "/usr/local/go/src/strings/builder.go", "extended-stdlib"],
    ["strconv", "strconv/itoa.go", "extended-stdlib"],
    ["fmt", "", "extended-stdlib"],
    ["text/template", "/opt/homebrew/Cellar/go/1.26.1/libexec/src/text/template/exec.go", "extended-stdlib"],
    ["html", "/srv/app/html/page.go", "application"],
    ["shop/internal/search", "shop/internal/search/highlight.go", "application"],
    ["main", "", "application"],
    ["github.com/acme/shop/cart", "/src/shop/cart/cart.go", "application"],
    ["github.com/rs/zerolog", "github.com/rs/zerolog@v1.2.3/log.go", "third-party"],
    ["github.com/rs/zerolog", "", "third-party"],
    ["", "/app/node_modules/x/index.js", "third-party"],
    ["", "/app/src/index.js", "application"],
    ["./src", "/app/src/index.js", "application"],
    ["node:internal", "node:internal/timers", "extended-stdlib"],
    ["python/json", "/usr/lib/python3.12/json/decoder.py", "extended-stdlib"],
    ["libc.so.6", "", "other"],
    ["", "", "other"],
  ])("%j in %j is %s", (packageName, file, group) => {
    expect(subsystemOf(packageName, file)).toBe(group);
  });
});

it("the subsystems are those of the specification", () => {
  expect(subsystems).toEqual([
    ...["runtime", "network", "io", "sync", "system", "crypto", "encoding", "database", "http"],
    ...["application", "third-party", "extended-stdlib", "other"],
  ]);
});
