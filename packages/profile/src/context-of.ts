import { packageOf } from "./function-name.ts";
import type { StackTable } from "./stacks.ts";

/** `unknown` where the profile does not tell. */
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

/** What the profile says of the program: in its comments, its mappings, its paths and its function names. */
export function contextOf(
  stacks: StackTable,
  facts: { readonly comments: readonly string[]; readonly mappingFiles: readonly string[] },
): Context {
  return {
    goVersion: goVersionOf(stacks, facts.comments),
    framework: frameworkOf(stacks),
    platform: platformOf(stacks, facts.mappingFiles),
  };
}

/**
 * A comment, or the folder that Go lies in, up to two below the one with the version, whoever put it there:
 *
 * ```
 * sdk/go1.22.4/src                   golang.org/toolchain@v0.0.1-go1.23.4.linux-amd64/src   lib/go-1.24/src
 * Cellar/go/1.15.7_1/libexec/src     hostedtoolcache/go/1.26.0/x64/src                      golang/1.20.5/go/src
 * ```
 */
function goVersionOf(stacks: StackTable, comments: readonly string[]): string {
  for (const text of comments) {
    const match = /\bgo(1\.\d{1,3}(?:\.\d{1,3})?)\b/.exec(text.slice(0, 1000));
    if (match) return `go${match[1]}`;
  }
  for (const file of new Set(stacks.frames.file)) {
    const at = file.indexOf("/src/runtime/");
    if (at < 0) continue;
    const match = goFolder.exec(file.slice(Math.max(0, at - 100), at));
    if (match) return `go${match[1]}`;
  }
  return "unknown";
}

const goFolder =
  /(?:^|[/@-])go(?:lang)?[-/@]?(1\.\d{1,3}(?:\.\d{1,3})?(?:(?:rc|beta)\d{1,2})?)(?!\d)[^/]*(?:\/[^/]+){0,2}$/;

function frameworkOf(stacks: StackTable): string {
  // Many frames have one name, and names may be long.
  const packages = new Set(Array.from(new Set(stacks.frames.functionName), packageOf));
  for (const [framework, path] of frameworks) {
    for (const name of packages) {
      if (name === path || name.startsWith(`${path}/`)) return framework;
    }
  }
  return "unknown";
}

const operatingSystems = ["linux", "darwin", "windows", "freebsd"];
const architectures = ["amd64", "arm64", "386", "arm", "riscv64", "ppc64le", "s390x"];

/** File names of Go's runtime name system and processor: `sys_linux_amd64.s`, `asm_arm64.s`. */
function platformOf(stacks: StackTable, mappingFiles: readonly string[]): string {
  const words = new Set<string>();
  for (const file of new Set(stacks.frames.file)) {
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
