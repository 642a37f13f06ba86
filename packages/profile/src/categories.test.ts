import { expect, it } from "vitest";
import { type Category, categoryOf } from "./categories.ts";

const cases: [name: string, file: string, category: Category][] = [
  ["main.handle", "", "user_code"],
  ["shop/cart.Add", "", "user_code"],
  ["github.com/acme/shop/cart.Add", "/home/ci/shop/cart/cart.go", "user_code"],
  ["github.com/acme/shop/cart.Add", "github.com/acme/shop/cart/cart.go", "user_code"],
  ["github.com/acme/lib.Do", "/home/dev/go/pkg/mod/github.com/acme/lib@v1.2.3/lib.go", "third_party"],
  ["github.com/acme/lib.Do", "", "third_party"],
  ["fmt.Fprintf", "", "standard_library"],
  ["crypto/sha256.Sum256", "/usr/local/go/src/crypto/sha256/sha256.go", "standard_library"],
  ["runtime.mallocgc", "", "runtime"],
  ["runtime/pprof.profileWriter", "", "runtime"],
  ["internal/runtime/maps.(*Map).Get", "", "runtime"],
  ["memeqbody", "", "runtime"],
  ["net/http.(*conn).serve", "", "http"],
  ["net/http/httputil.(*ReverseProxy).ServeHTTP", "", "http"],
  ["golang.org/x/net/http2.(*Framer).ReadFrame", "", "http"],
  ["database/sql.(*DB).Query", "", "database"],
  ["github.com/jackc/pgx/v5.(*Conn).Query", "", "database"],
  ["encoding/json.Marshal", "", "json"],
  ["github.com/bytedance/sonic/decoder.Decode", "", "json"],
  ["github.com/gin-gonic/gin.(*Context).Next", "", "gin_framework"],
  ["libc.so.6!0x7f00", "/usr/lib/libc.so.6", "other"],
  ["parse", "/srv/app/node_modules/qs/lib/parse.js", "third_party"],
  ["readFileSync", "node:fs", "standard_library"],
  ["handle", "/srv/app/server.js", "user_code"],
  ["(idle)", "", "other"],
  ["", "", "other"],
];

it.each(cases)("%s in %s is %s", (name, file, category) => {
  expect(categoryOf(name, file)).toBe(category);
});
