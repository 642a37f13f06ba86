import { isStandardLibrary } from "@flamekeep/profile";
import { oklch, toHex } from "./oklch.ts";
import type { Theme } from "./theme.ts";

export const subsystems = [
  "runtime",
  "network",
  "io",
  "sync",
  "system",
  "crypto",
  "encoding",
  "database",
  "http",
  "application",
  "third-party",
  "extended-stdlib",
  "other",
] as const;

export type Subsystem = (typeof subsystems)[number];

/** Go packages by their leading path; the longest that fits decides. */
const ofPackage: readonly (readonly [Subsystem, readonly string[]])[] = [
  [
    "runtime",
    ["runtime", "internal/abi", "internal/runtime", "internal/bytealg", "internal/cpu", "reflect", "unsafe"],
  ],
  ["network", ["net", "internal/poll", "google.golang.org/grpc", "golang.org/x/net", "github.com/nats-io"]],
  ["io", ["io", "bufio", "os", "embed", "log", "internal/fs"]],
  ["sync", ["sync", "internal/sync", "golang.org/x/sync", "context"]],
  ["system", ["syscall", "os/exec", "os/signal", "internal/syscall", "golang.org/x/sys", "time", "plugin"]],
  [
    "crypto",
    ["crypto", "hash", "vendor/golang.org/x/crypto", "golang.org/x/crypto", "github.com/golang-jwt"],
  ],
  [
    "encoding",
    [
      "encoding",
      "compress",
      "archive",
      "google.golang.org/protobuf",
      "github.com/golang/protobuf",
      "github.com/json-iterator",
      "github.com/bytedance/sonic",
      "github.com/goccy/go-json",
      "github.com/klauspost/compress",
      "gopkg.in/yaml",
    ],
  ],
  [
    "database",
    [
      "database",
      "github.com/jackc/pgx",
      "github.com/lib/pq",
      "github.com/go-sql-driver",
      "github.com/redis",
      "github.com/go-redis",
      "github.com/jmoiron/sqlx",
      "github.com/ClickHouse",
      "github.com/mattn/go-sqlite3",
      "gorm.io",
      "go.mongodb.org",
      "go.etcd.io/bbolt",
      "modernc.org/sqlite",
    ],
  ],
  [
    "http",
    [
      "net/http",
      "golang.org/x/net/http2",
      "github.com/gin-gonic",
      "github.com/labstack/echo",
      "github.com/go-chi",
      "github.com/gorilla",
      "github.com/gofiber",
      "github.com/valyala/fasthttp",
      "github.com/julienschmidt/httprouter",
    ],
  ],
  ["extended-stdlib", ["golang.org/x"]],
];

const ofPrefix = new Map(
  ofPackage.flatMap(([group, prefixes]) => prefixes.map((prefix) => [prefix, group] as const)),
);

/**
 * Group of a function by its package, and by its file where the package does not tell: a module path with a version, `vendor`,
 * `node_modules` or `site-packages` is somebody else's code. Packages of Go's own library without a group of their own count as
 * extended-stdlib; a symbol without package and file is other.
 */
export function subsystemOf(packageName: string, file: string): Subsystem {
  for (let end = packageName.length; end > 0; end = packageName.lastIndexOf("/", end - 1)) {
    const group = ofPrefix.get(packageName.slice(0, end));
    if (group !== undefined) return group;
  }
  const isThirdParty = /@v\d|\/vendor\/|\/node_modules\/|\/(?:site|dist)-packages\//u.test(file);
  if (isThirdParty) return "third-party";
  if (packageName === "main" || packageName.startsWith("main/")) return "application";
  const host = packageName.slice(0, Math.max(0, packageName.indexOf("/")));
  if (host.includes(".")) return file === "" ? "third-party" : "application";
  if (isInStandardLibrary(packageName, file)) return "extended-stdlib";
  return file === "" ? "other" : "application";
}

/**
 * By the package's name alone where the program was built with -trimpath: files of Go's library and of a module without a host in its path
 * look alike then.
 */
function isInStandardLibrary(packageName: string, file: string): boolean {
  const isAbsolute = /^(?:\/|[A-Za-z]:)/u.test(file);
  if (isAbsolute && !file.replaceAll("\\", "/").includes(`/src/${packageName}/`)) return false;
  return isStandardLibrary(packageName);
}

/** Hue and chroma of each group; the runtime is grey and other is paler, the application is the ember of the product. */
const hues: Readonly<Record<Subsystem, readonly [hue: number, chroma: number]>> = {
  runtime: [80, 0.02],
  network: [245, 0.11],
  io: [200, 0.1],
  sync: [350, 0.12],
  system: [110, 0.09],
  crypto: [300, 0.11],
  encoding: [85, 0.13],
  database: [165, 0.11],
  http: [265, 0.11],
  application: [42, 0.15],
  "third-party": [135, 0.11],
  "extended-stdlib": [225, 0.06],
  other: [60, 0.01],
};

export function subsystemPalette(theme: Theme): string[] {
  return subsystems.map((group) => {
    const [hue, chroma] = hues[group];
    const pale = group === "other" ? (theme === "light" ? 0.08 : -0.1) : 0;
    return toHex(oklch((theme === "light" ? 0.8 : 0.54) + pale, chroma, hue));
  });
}
