import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { expect, it } from "vitest";
import { languagesWithRules } from "./language.ts";
import { rulesOf } from "./run/table.ts";

const goRules = rulesOf("go");

/** Whether go is present, in the version that the examples are written for or a newer one. */
function hasGo(): boolean {
  try {
    const version = execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" });
    return Number(/^go1\.(\d+)/.exec(version)?.[1] ?? 0) >= 23;
  } catch {
    return false;
  }
}

/** Every example is a package in one module: one `go vet` for all of them. The first run compiles the standard library: at full length. */
it.skipIf(!hasGo())(
  "every example is formatted Go that passes go vet",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "examples-"));
    try {
      writeFileSync(join(folder, "go.mod"), "module examples\n\ngo 1.23\n");
      for (const { id, example } of goRules) {
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
      if (isFullLength)
        execFileSync("go", ["vet", "./..."], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  600_000,
);

it("examples bring their imports and leave the package to the reader", () => {
  for (const { id, example = "" } of goRules) {
    expect(example, id).not.toMatch(/^package /m);
    expect(example.endsWith("}\n") || example.endsWith(")\n"), id).toBe(true);
  }
});

/** Whether a command is present. */
function has(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Writes the examples of a language into a folder and hands their paths over. */
function withExamples(language: "python" | "node" | "java", use: (paths: readonly string[]) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "examples-"));
  const ending = { python: "py", node: "js", java: "java" }[language];
  try {
    const paths = rulesOf(language).flatMap(({ id, example }) => {
      if (example === undefined || (language === "java" && !usesPlatformOnly(example))) return [];
      mkdirSync(join(folder, id));
      const path = join(folder, id, `Example.${ending}`);
      writeFileSync(path, example);
      return [path];
    });
    expect(paths.length).toBeGreaterThan(5);
    use(paths);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The compiler has no libraries. */
const usesPlatformOnly = (source: string) => !/^import (?!java\.)/m.test(source);

it.skipIf(!has("python3"))("every example about Python compiles", () => {
  withExamples("python", (paths) =>
    execFileSync("python3", ["-m", "py_compile", ...paths], { stdio: ["ignore", "pipe", "pipe"] }),
  );
});

it("every example about Node parses", () => {
  withExamples("node", (paths) => {
    for (const path of paths)
      execFileSync(process.execPath, ["--check", path], { stdio: ["ignore", "pipe", "pipe"] });
  });
});

/** One process for all examples, because a compiler takes most of its time to start. Each has a separate folder: their classes have equal names. */
const compileEach = `
public class CompileEach {
    public static void main(String[] paths) {
        var compiler = javax.tools.ToolProvider.getSystemJavaCompiler();
        for (String path : paths)
            if (compiler.run(null, null, null, "-Xlint:all", "-d", path + ".classes", path) != 0) System.exit(1);
    }
}
`;

it.skipIf(!isFullLength || !has("javac"))(
  "every example about Java without libraries compiles",
  () => {
    withExamples("java", (paths) => {
      const program = join(dirname(dirname(paths[0]!)), "CompileEach.java");
      writeFileSync(program, compileEach);
      execFileSync("java", [program, ...paths], { stdio: ["ignore", "pipe", "pipe"] });
    });
  },
  120_000,
);

it("every language has rules with examples", () => {
  for (const language of languagesWithRules)
    expect(rulesOf(language).filter(({ example }) => example !== undefined).length, language).toBeGreaterThan(
      10,
    );
});
