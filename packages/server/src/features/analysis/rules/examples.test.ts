import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rules } from "./run/table.ts";

/** Whether go is present, in the version that the examples are written for or a newer one. */
function hasGo(): boolean {
  try {
    const version = execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" });
    return Number(/^go1\.(\d+)/.exec(version)?.[1] ?? 0) >= 23;
  } catch {
    return false;
  }
}

/** Every example is a package in one module: one `go vet` for all of them. The first run compiles the standard library. */
it.skipIf(!hasGo())(
  "every example is formatted Go that passes go vet",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "examples-"));
    try {
      writeFileSync(join(folder, "go.mod"), "module examples\n\ngo 1.23\n");
      for (const { id, example } of rules) {
        mkdirSync(join(folder, id));
        writeFileSync(join(folder, id, "example.go"), `package example\n\n${example}`);
      }
      const env = {
        ...process.env,
        GOFLAGS: "-mod=mod",
        GOPROXY: "off",
        GOTOOLCHAIN: "local",
        GOWORK: "off",
      };
      expect(execFileSync("gofmt", ["-l", folder], { encoding: "utf8" })).toBe("");
      execFileSync("go", ["vet", "./..."], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  600_000,
);

it("examples bring their imports and leave the package to the reader", () => {
  for (const { id, example } of rules) {
    expect(example, id).not.toMatch(/^package /m);
    expect(example.endsWith("}\n") || example.endsWith(")\n"), id).toBe(true);
  }
});
