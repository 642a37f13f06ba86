import type { StackTable } from "#model/stack-table.ts";
import { packageOf } from "#names/function-name.ts";

/** Each is `unknown` if the profile does not contain it. */
export interface Context {
  readonly goVersion: string;
  readonly framework: string;
  readonly platform: string;
}

const frameworks: readonly (readonly [string, string])[] = [
  ["gin", "github.com/gin-gonic/gin"],
  ["echo", "github.com/labstack/echo"],
  ["fiber", "github.com/gofiber/fiber"],
  ["chi", "github.com/go-chi/chi"],
  ["gorilla/mux", "github.com/gorilla/mux"],
  ["httprouter", "github.com/julienschmidt/httprouter"],
  ["fasthttp", "github.com/valyala/fasthttp"],
  ["grpc", "google.golang.org/grpc"],
  ["connect", "connectrpc.com/connect"],
  ["net/http", "net/http"],
];

/** Facts about the program from comments, mappings, paths and function names. */
export function contextOf(
  stacks: StackTable,
  facts: { readonly comments: readonly string[]; readonly mappingFiles: readonly string[] },
): Context {
  const files = new Set(stacks.frames.file);
  // Many frames have one name, and names may be long.
  const packages = new Set(Array.from(new Set(stacks.frames.functionName), packageOf));
  const isGo = isGoProgram(files, packages);
  return {
    goVersion: goVersionOf(files, facts.comments),
    framework: isGo ? frameworkOf(packages) : "unknown",
    platform: platformOf(isGo ? files : new Set(), facts.mappingFiles),
  };
}

/**
 * A comment, or Go's installation folder, up to two levels below the one with the version:
 *
 * ```
 * sdk/go1.22.4/src                   golang.org/toolchain@v0.0.1-go1.23.4.linux-amd64/src   lib/go-1.24/src
 * Cellar/go/1.15.7_1/libexec/src     hostedtoolcache/go/1.26.0/x64/src                      golang/1.20.5/go/src
 * ```
 */
function goVersionOf(files: ReadonlySet<string>, comments: readonly string[]): string {
  for (const text of comments) {
    const match = /\bgo(1\.\d{1,3}(?:\.\d{1,3})?)\b/.exec(text.slice(0, 1000));
    if (match) return `go${match[1]}`;
  }
  for (const file of files) {
    const at = file.indexOf("/src/runtime/");
    if (at < 0) continue;
    const match = goFolder.exec(file.slice(Math.max(0, at - 100), at));
    if (match) return `go${match[1]}`;
  }
  return "unknown";
}

const goFolder =
  /(?:^|[/@-])go(?:lang)?[-/@]?(1\.\d{1,3}(?:\.\d{1,3})?(?:(?:rc|beta)\d{1,2})?)(?!\d)[^/]*(?:\/[^/]+){0,2}$/;

/** Some file is Go source or part of its runtime; without any file, a runtime function decides. */
function isGoProgram(files: ReadonlySet<string>, packages: ReadonlySet<string>): boolean {
  let hasFile = false;
  for (const file of files) {
    if (file.endsWith(".go") || (file.endsWith(".s") && file.includes("/runtime/"))) return true;
    if (file !== "") hasFile = true;
  }
  return !hasFile && packages.has("runtime");
}

function frameworkOf(packages: ReadonlySet<string>): string {
  for (const [framework, path] of frameworks) {
    for (const name of packages) {
      if (name === path || name.startsWith(`${path}/`)) return framework;
    }
  }
  return "unknown";
}

const operatingSystems = ["linux", "darwin", "windows", "freebsd"];
const architectures = ["amd64", "arm64", "386", "arm", "riscv64", "ppc64le", "s390x"];

/** The file names of a Go program name system and processor: `sys_linux_amd64.s`, `asm_arm64.s`. */
function platformOf(files: ReadonlySet<string>, mappingFiles: readonly string[]): string {
  const words = new Set<string>();
  for (const file of files) {
    if (!file.endsWith(".go") && !file.endsWith(".s")) continue;
    const name = file.slice(file.lastIndexOf("/") + 1);
    const dot = name.indexOf(".");
    for (const word of (dot < 0 ? name : name.slice(0, dot)).split("_").slice(1)) words.add(word);
  }
  const architecture = architectures.find((word) => words.has(word));
  const system = operatingSystems.find((word) => words.has(word)) ?? systemOfMappings(mappingFiles);
  if (system === undefined) return architecture ?? "unknown";
  return architecture === undefined ? system : `${system}/${architecture}`;
}

function systemOfMappings(files: readonly string[]): string | undefined {
  if (files.some((file) => file === "[vdso]" || file.includes(".so"))) return "linux";
  if (files.some((file) => file.endsWith(".dylib"))) return "darwin";
  return files.some((file) => file.toLowerCase().endsWith(".exe")) ? "windows" : undefined;
}
