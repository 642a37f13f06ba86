import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { importsIn } from "../imports.ts";
import { billOfMaterials } from "./bill-of-materials.ts";
import { isLeftOut } from "./copy-files.ts";
import { type LockedPackages, nameOf, packagesToRun } from "./locked-packages.ts";

const platform = { os: "linux", cpu: "x64", libc: "glibc" };
const locked: LockedPackages = JSON.parse(
  readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"),
).packages;

test("packages are found as Node finds them: the nearest version, without other platforms and tools", () => {
  const small: LockedPackages = {
    "packages/app": { dependencies: { a: "1", ours: "1" }, optionalDependencies: { fast: "1", absent: "1" } },
    "packages/ours": { dependencies: { b: "1" } },
    "node_modules/ours": { link: true, resolved: "packages/ours" },
    "node_modules/a": {
      dependencies: { b: "2" },
      peerDependencies: { peer: "1", rare: "1" },
      peerDependenciesMeta: { rare: { optional: true } },
    },
    "node_modules/a/node_modules/b": { dependencies: { c: "1" } },
    "node_modules/b": {},
    "node_modules/c": {},
    "node_modules/peer": {},
    "node_modules/rare": {},
    "node_modules/tool": {},
    "node_modules/fast": {
      dependencies: { "fast-linux": "1" },
      optionalDependencies: { "fast-linux": "1", "fast-musl": "1", "fast-mac": "1" },
    },
    "node_modules/fast-linux": { os: ["linux"], cpu: ["x64"], libc: ["glibc"] },
    "node_modules/fast-musl": { os: ["linux"], cpu: ["x64"], libc: ["musl"] },
    "node_modules/fast-mac": { os: ["darwin"] },
  };
  expect(packagesToRun(small, "packages/app", platform)).toEqual([
    "node_modules/a",
    "node_modules/a/node_modules/b",
    "node_modules/b",
    "node_modules/c",
    "node_modules/fast",
    "node_modules/fast-linux",
    "node_modules/peer",
    "packages/app",
    "packages/ours",
  ]);
  expect(() => packagesToRun({ app: { dependencies: { a: "1" } } }, "app", platform)).toThrow("app needs a,");
});

test.each([
  ["x64", ["@chdb/lib-linux-x64-gnu", "@node-rs/argon2-linux-x64-gnu"]],
  ["arm64", ["@chdb/lib-linux-arm64-gnu", "@node-rs/argon2-linux-arm64-gnu"]],
])(
  "the server on %s needs no package of another platform, of development or of the web app",
  (cpu, native) => {
    const paths = packagesToRun(locked, "packages/server", { ...platform, cpu });
    expect(paths.length).toBeGreaterThan(80);
    expect(paths.filter((path) => path.startsWith("packages/"))).toEqual(
      ["contract", "flame", "profile", "server"].map((name) => `packages/${name}`),
    );
    for (const name of native) expect(paths).toContain(`node_modules/${name}`);
    expect(paths.join(" ")).not.toMatch(
      /musl|darwin|win32|typescript|vitest|node_modules\/(react|vite|npm)\b/,
    );
  },
);

test("the bill of materials has the version, licence and checksum of each package", () => {
  const paths = packagesToRun(locked, "packages/server", platform).filter(
    (path) => !path.startsWith("packages"),
  );
  const bill = billOfMaterials(locked, paths, { version: "1.2.3", nodeVersion: "26.0.0" }) as {
    components: {
      purl: string;
      version: string;
      licenses: object[];
      hashes?: { alg: string; content: string }[];
    }[];
  };
  expect(bill.components.map(({ purl }) => purl)).toContain("pkg:generic/node@26.0.0");
  const folders = new Set(paths.map((path) => `${nameOf(path)} ${locked[path]?.version}`));
  expect(folders.size).toBeLessThan(paths.length);
  expect(bill.components.length).toBe(folders.size + 1);
  const fastify = bill.components.find(({ purl }) => /^pkg:npm\/fastify@\d/.test(purl));
  expect(fastify?.licenses).toEqual([{ expression: "MIT" }]);
  expect(fastify?.hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  expect(bill.components.find(({ purl }) => purl.startsWith("pkg:npm/%40fastify/static@"))).toBeDefined();
  expect(JSON.stringify(bill)).not.toContain('"unknown"');
});

test("no file of a folder imports one that is left out", () => {
  const imports = ["contract", "flame", "profile", "server"].flatMap((name) => importsIn(`packages/${name}`));
  const copied = imports.filter(({ from }) => !isLeftOut(from));
  expect(copied.length).toBeGreaterThan(1000);
  expect(copied.filter(({ to }) => isLeftOut(to))).toEqual([]);
});
