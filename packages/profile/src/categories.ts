import { packageOf } from "./function-name.ts";

/** What a function belongs to. `other` where nothing is known of it. */
export type Category =
  | "user_code"
  | "standard_library"
  | "runtime"
  | "http"
  | "database"
  | "json"
  | "gin_framework"
  | "third_party"
  | "other";

/** Packages by the start of their path. The first that fits wins. */
const packages: readonly (readonly [Category, readonly string[]])[] = [
  ["runtime", ["runtime", "internal/runtime", "internal/abi", "internal/cpu", "internal/bytealg"]],
  ["gin_framework", ["github.com/gin-gonic"]],
  [
    "json",
    [
      "encoding/json",
      "github.com/json-iterator/go",
      "github.com/goccy/go-json",
      "github.com/bytedance/sonic",
      "github.com/mailru/easyjson",
      "github.com/valyala/fastjson",
      "github.com/tidwall/gjson",
      "github.com/tidwall/sjson",
      "github.com/segmentio/encoding/json",
      "github.com/go-json-experiment/json",
    ],
  ],
  [
    "http",
    [
      "net/http",
      "golang.org/x/net/http",
      "golang.org/x/net/http2",
      "vendor/golang.org/x/net/http",
      "github.com/valyala/fasthttp",
      "github.com/gofiber/fiber",
      "github.com/labstack/echo",
      "github.com/gorilla/mux",
      "github.com/go-chi/chi",
      "github.com/julienschmidt/httprouter",
    ],
  ],
  [
    "database",
    [
      "database/sql",
      "github.com/lib/pq",
      "github.com/jackc/pgx",
      "github.com/jackc/pgconn",
      "github.com/go-sql-driver/mysql",
      "github.com/jmoiron/sqlx",
      "github.com/mattn/go-sqlite3",
      "modernc.org/sqlite",
      "gorm.io",
      "github.com/jinzhu/gorm",
      "github.com/go-pg/pg",
      "github.com/uptrace/bun",
      "entgo.io/ent",
      "xorm.io",
      "github.com/redis/go-redis",
      "github.com/go-redis/redis",
      "github.com/gomodule/redigo",
      "go.mongodb.org/mongo-driver",
      "github.com/gocql/gocql",
      "github.com/ClickHouse",
      "github.com/elastic/go-elasticsearch",
      "go.etcd.io/bbolt",
      "github.com/dgraph-io/badger",
      "github.com/cockroachdb/pebble",
      "github.com/syndtr/goleveldb",
    ],
  ],
];

/** First elements of the paths of Go's standard library. */
const standardLibrary = new Set(
  (
    "archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar " +
    "flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp " +
    "slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak vendor"
  ).split(" "),
);

/** Assembly functions of the Go runtime that carry no package. */
const runtimeNames = new Set(
  (
    "memeqbody cmpbody indexbytebody indexbody countbody aeshashbody gcWriteBarrier memclrNoHeapPointers " +
    "callRet gogo gosave_systemstack_switch setg_gcc _cgo_topofstack x_cgo_thread_start"
  ).split(" "),
);

/** Where sources of other people lie. A file elsewhere is the user's own. */
const thirdPartyPlaces = ["@v", "/vendor/", "node_modules/", "site-packages/", "dist-packages/", "/gems/"];
const standardPlaces = ["/usr/local/go/src/", "/go/src/runtime/", "node:", "/lib/python3", "<frozen "];

/**
 * The category of a function by its name, and by its source file where the name alone does not tell: a package
 * such as `github.com/acme/shop` may be the user's own or a dependency, only the version in its file's path says.
 */
export function categoryOf(functionName: string, file = ""): Category {
  const path = packageOf(functionName);
  if (path === "") return runtimeNames.has(functionName) ? "runtime" : categoryOfFile(file);
  for (const [category, starts] of packages) {
    for (const start of starts) if (isUnder(path, start)) return category;
  }
  const slash = path.indexOf("/");
  const first = slash < 0 ? path : path.slice(0, slash);
  if (path === "main" || path.endsWith("/main")) return "user_code";
  if (standardLibrary.has(first) && !hasPlace(file, thirdPartyPlaces)) return "standard_library";
  if (functionName.includes("!0x")) return "other";
  if (hasPlace(file, thirdPartyPlaces)) return "third_party";
  if (file !== "") return categoryOfFile(file);
  return first.includes(".") ? "third_party" : "user_code";
}

/** `net/http` holds `net/http/httputil` and `net/http.Get`, and not `net/httpx`. */
function isUnder(path: string, start: string): boolean {
  if (!path.startsWith(start)) return false;
  const next = path[start.length];
  return next === undefined || next === "/" || next === ".";
}

function hasPlace(file: string, places: readonly string[]): boolean {
  return places.some((place) => file.includes(place));
}

function categoryOfFile(file: string): Category {
  if (hasPlace(file, thirdPartyPlaces)) return "third_party";
  if (hasPlace(file, standardPlaces)) return "standard_library";
  return file.includes("/") || file.includes("\\") ? "user_code" : "other";
}
