/** The purpose of a package; decides the colour in flame graphs. */
export type PackageSubsystem =
  | "runtime"
  | "network"
  | "io"
  | "sync"
  | "system"
  | "crypto"
  | "encoding"
  | "database"
  | "http"
  | "extended-stdlib";

/** The library a package belongs to; statistics sum by it. */
export type PackageCategory = "runtime" | "gin_framework" | "json" | "http" | "database";

/** Leading paths of Go packages. The longest path that fits decides, for category and subsystem each. */
const table: readonly (readonly [PackageCategory | "", PackageSubsystem | "", string])[] = [
  ["runtime", "runtime", "runtime internal/runtime internal/abi internal/cpu internal/bytealg"],
  ["", "runtime", "reflect unsafe"],
  ["", "network", "net internal/poll google.golang.org/grpc golang.org/x/net github.com/nats-io"],
  ["", "io", "io bufio os embed log internal/fs"],
  ["", "sync", "sync internal/sync golang.org/x/sync context"],
  ["", "system", "syscall os/exec os/signal internal/syscall golang.org/x/sys time plugin"],
  ["", "crypto", "crypto hash vendor/golang.org/x/crypto golang.org/x/crypto github.com/golang-jwt"],
  ["", "encoding", "encoding compress archive google.golang.org/protobuf github.com/golang/protobuf"],
  ["", "encoding", "github.com/json-iterator github.com/klauspost/compress gopkg.in/yaml"],
  ["json", "encoding", "encoding/json github.com/json-iterator/go github.com/goccy/go-json"],
  ["json", "encoding", "github.com/bytedance/sonic"],
  ["json", "", "github.com/mailru/easyjson github.com/valyala/fastjson github.com/segmentio/encoding/json"],
  ["json", "", "github.com/tidwall/gjson github.com/tidwall/sjson github.com/go-json-experiment/json"],
  ["gin_framework", "http", "github.com/gin-gonic"],
  ["http", "http", "net/http golang.org/x/net/http2 github.com/valyala/fasthttp github.com/labstack/echo"],
  ["http", "http", "github.com/julienschmidt/httprouter github.com/gofiber/fiber github.com/gorilla/mux"],
  ["http", "http", "github.com/go-chi/chi"],
  ["http", "network", "golang.org/x/net/http"],
  ["http", "", "vendor/golang.org/x/net/http"],
  ["", "http", "github.com/go-chi github.com/gorilla github.com/gofiber"],
  ["database", "database", "database/sql github.com/lib/pq github.com/jackc/pgx github.com/jmoiron/sqlx"],
  ["database", "database", "github.com/go-sql-driver/mysql github.com/mattn/go-sqlite3 modernc.org/sqlite"],
  ["database", "database", "gorm.io github.com/ClickHouse go.etcd.io/bbolt github.com/redis/go-redis"],
  ["database", "database", "github.com/go-redis/redis go.mongodb.org/mongo-driver"],
  [
    "database",
    "",
    "github.com/jackc/pgconn github.com/jinzhu/gorm github.com/go-pg/pg github.com/uptrace/bun",
  ],
  ["database", "", "entgo.io/ent xorm.io github.com/gomodule/redigo github.com/gocql/gocql"],
  ["database", "", "github.com/elastic/go-elasticsearch github.com/dgraph-io/badger"],
  ["database", "", "github.com/cockroachdb/pebble github.com/syndtr/goleveldb"],
  ["", "database", "database github.com/go-sql-driver github.com/redis github.com/go-redis go.mongodb.org"],
  ["", "extended-stdlib", "golang.org/x"],
];

const categories = new Map<string, PackageCategory>();
const subsystems = new Map<string, PackageSubsystem>();
let longestPath = 0;
for (const [category, subsystem, paths] of table) {
  for (const path of paths.split(" ")) {
    if (category !== "") categories.set(path, category);
    if (subsystem !== "") subsystems.set(path, subsystem);
    longestPath = Math.max(longestPath, path.length);
  }
}

/** `net/http` decides for `net/http/httputil` and for `net/http.v2`, not for `net/httpx`. */
export function packageCategory(path: string): PackageCategory | undefined {
  return ofLongestPrefix(categories, path, "/.");
}

/** `net/http` decides for `net/http/httputil`, not for `net/httpx` or `net.example.com`. */
export function packageSubsystem(path: string): PackageSubsystem | undefined {
  return ofLongestPrefix(subsystems, path, "/");
}

function ofLongestPrefix<T>(groups: ReadonlyMap<string, T>, path: string, separators: string): T | undefined {
  for (let end = Math.min(path.length, longestPath); end > 0; end--) {
    if (end < path.length && !separators.includes(path[end])) continue;
    const group = groups.get(path.slice(0, end));
    if (group !== undefined) return group;
  }
  return undefined;
}

/** First elements of the paths of Go's standard library. */
const standardElements = new Set(
  (
    "archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar " +
    "flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp " +
    "slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak vendor"
  ).split(" "),
);

/** Whether a path is one of Go's standard library: other paths begin with a host, or should. */
export function isStandardLibrary(path: string): boolean {
  const end = path.indexOf("/");
  return standardElements.has(end === -1 ? path : path.slice(0, end));
}
