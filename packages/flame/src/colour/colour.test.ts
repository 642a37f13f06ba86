import { describe, expect, it } from "vitest";
import { stacksOf } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import type { FunctionTable } from "../tree/call-tree.ts";
import { languageOf } from "./language.ts";
import { fromHex, luminance, oklch, toHex } from "./oklch.ts";
import { alikeBelow, colourDistance, packageColours, preferredColour } from "./package-hue.ts";
import { heatStep, inkOn, legendOf, nodeColours, paletteOf, rampPosition } from "./scheme.ts";
import { type Scheme, schemes } from "./scheme-names.ts";
import { subsystemOf, subsystems } from "./subsystem.ts";

function functionsOf(packages: readonly string[]): FunctionTable {
  const packageName = ["", ...packages];
  const texts = packageName.map(() => "");
  return {
    length: packageName.length,
    name: texts,
    packageName,
    file: texts,
    startLine: new Int32Array(packageName.length),
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
    expect(idsOf("package")[1]).toBe(preferredColour("main"));
    expect(idsOf("language").map((id) => legendOf("language", "light", tree.functions)[id].label)).toEqual(
      Array(4).fill("other"),
    );
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

  it("gives each package of a picture a different colour, most of them the same in every picture", () => {
    const names = Array.from({ length: 240 }, (_, id) => `github.com/acme/shop/pkg${id}`);
    const colours = packageColours(functionsOf(names));
    for (const theme of ["light", "dark"] as const) {
      const palette = paletteOf("package", theme);
      expect(new Set(Array.from(colours.values(), (colour) => palette[colour])).size).toBe(names.length);
    }
    const few = [...packageColours(functionsOf(names.slice(0, 20)))];
    const kept = few.filter(([name, colour]) => colour === preferredColour(name));
    expect(kept.length).toBeGreaterThan(few.length / 2);
    expect(packageColours(functionsOf(["main", "", "main"]))).toEqual(
      packageColours(functionsOf(["main", ""])),
    );
    const legend = legendOf("package", "light", functionsOf(["net/http", "main"]));
    expect(legend.map(({ label }) => label)).toEqual(["net/http", "main"]);
  });

  it("gives pictures with nearly the same packages nearly the same colours, in any order", () => {
    const names = Array.from({ length: 30 }, (_, id) => `github.com/acme/shop/pkg${id}`);
    const whole = packageColours(functionsOf(names));
    const reversed = packageColours(functionsOf(names.toReversed()));
    expect(names.map((name) => reversed.get(name))).toEqual(names.map((name) => whole.get(name)));
    const changes = names.map((_, left) => {
      const most = packageColours(functionsOf(names.toSpliced(left, 1)));
      return [...most].filter(([name, colour]) => whole.get(name) !== colour).length;
    });
    expect(changes.reduce((sum, each) => sum + each, 0) / names.length).toBeLessThan(names.length / 6);
  });

  it("gives forty packages of a picture colours that look different in both themes", () => {
    const names = [
      ...["runtime", "net/http", "main", "encoding/json", "shop/internal/pricing", "shop/internal/load"],
      ...["crypto/internal/fips140/hmac", "shop/internal/checkout", "net/http/internal", "regexp", "fmt"],
      ...Array.from({ length: 29 }, (_, id) => `github.com/acme/shop/pkg${id}`),
    ];
    const colours = [...packageColours(functionsOf(names)).values()];
    const pairs = colours.flatMap((a, at) => colours.slice(at + 1).map((b) => colourDistance(a, b)));
    expect(pairs.length).toBe(780);
    expect(Math.min(...pairs)).toBeGreaterThanOrEqual(alikeBelow);
  });

  it("measures the distance of colours in OKLab", () => {
    // Opposite hues of one ring: twice its chroma. The same hue of the first two rings: their lightness.
    expect(colourDistance(0, 15)).toBeCloseTo(0.2, 10);
    expect(colourDistance(3, 33)).toBeCloseTo(0.08, 10);
  });

  it("gives packages beyond the last free colour their preferred ones, and leaves those before as they are", () => {
    const names = Array.from({ length: 2000 }, (_, id) => `github.com/acme/shop/pkg${id}`);
    const colours = packageColours(functionsOf(names));
    const first = packageColours(functionsOf(names.slice(0, 240)));
    expect(names.slice(0, 240).map((name) => colours.get(name))).toEqual([...first.values()]);
    expect(names.slice(240).map((name) => colours.get(name))).toEqual(names.slice(240).map(preferredColour));
  });

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
])("the language of %s in %j is %s", (name, file, language) => {
  expect(languageOf(name, file)).toBe(language);
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
