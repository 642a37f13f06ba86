import { type Found, shareRule, type Thresholds } from "#rules/call-rule.ts";
import { databaseLibraries } from "#rules/libraries.ts";
import { anyOf, functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";

const querying = functions(
  "database/sql.(*DB).{Query,Exec,Prepare,Begin}*",
  "database/sql.(*Tx).{Commit,Query*,Exec*,Prepare*}",
  "database/sql.(*{Conn,Stmt}).{Query,Exec}*",
  ...databaseLibraries,
);
/** The second half of a query for one row. */
const scanning = functions("database/sql.(*Row).Scan");
/** Calls that are about one row. */
const single = functions(
  "database/sql.(*{DB,Tx,Stmt}).{QueryRow,Exec}*",
  "database/sql.(*Conn).QueryRow*",
  "github.com/jmoiron/sqlx.(*DB).Get*",
  "github.com/jackc/pgx/v5.(*Conn).QueryRow",
  "github.com/jackc/pgx/v5/pgxpool.(*Pool).QueryRow",
  "gorm.io/gorm.(*DB).{First,Take}",
  "github.com/redis/go-redis/v9.cmdable.Get",
);

/** One line with calls for single rows that dominates its request is a loop; a share alone says only that there is a database. */
const loopOfRows: Thresholds = { low: 0.03, medium: 0.06, high: 0.15 };
const anyCalls: Thresholds = { low: 0.05, medium: 0.1 };

/** Weight of one line compared with the others below the same function from which on it runs once per row. */
const loopRatio = 2;

export const databaseNPlusOne = shareRule({
  id: "database-n-plus-one",
  name: "A query per row (N+1)",
  looksAt:
    "CPU in database calls, and whether one line queries far more than its neighbors below the same function.",
  select: ({ main }) => main.through(anyOf(querying, scanning)),
  from: (found) => (isLoop(found) && isSingle(found) ? loopOfRows : anyCalls),
  confidence: (found) => {
    if (!isLoop(found)) return 0.5;
    return isSingle(found) ? 0.85 : 0.7;
  },
  saves: 0.8,
  issue: (found) =>
    isLoop(found)
      ? `${found.where} spends ${found.share} on a query per row (N+1): query all rows at once`
      : `${found.where} spends ${found.share} on database calls: check for a query per row (N+1)`,
  impact: (found) =>
    `${isLoop(found) ? "It queries the database far more than the other queries of the same request. " : ""}The calls account for about ${found.cost}. Each also waits for the network, which a CPU profile does not show: one query for all rows saves both.`,
  solution: ({ where }) =>
    `Collect the keys first and read all rows with one query (JOIN, or WHERE id IN (…) / = ANY($1)), then assign them in memory; ORMs call that preloading. Inserts of many rows belong in one statement or a batch, and statements that repeat should be prepared once. ${where} then works on the rows that are already there.`,
  example: `import (
	"context"
	"database/sql"
	"strings"
)

// linesOf reads the lines of all orders with one query instead of one per order.
func linesOf(ctx context.Context, db *sql.DB, orders []int64) (map[int64][]string, error) {
	lines := make(map[int64][]string, len(orders))
	if len(orders) == 0 {
		return lines, nil
	}
	args := make([]any, len(orders))
	for i, id := range orders {
		args[i] = id
	}
	places := strings.TrimSuffix(strings.Repeat("?,", len(orders)), ",")
	rows, err := db.QueryContext(ctx, "SELECT order_id, name FROM lines WHERE order_id IN ("+places+")", args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var order int64
		var name string
		if err := rows.Scan(&order, &name); err != nil {
			return nil, err
		}
		lines[order] = append(lines[order], name)
	}
	return lines, rows.Err()
}
`,
});

function isLoop({ selection }: Found): boolean {
  const queries = selection.without(scanning);
  return isQueriedInLoop(queries.stacks.length > 0 ? queries : selection);
}

/** Whether most calls of the function that causes most are about one row. */
function isSingle({ selection, caller }: Found): boolean {
  if (caller === undefined) return false;
  return selection.of(caller).and(anyOf(single, scanning)).weight >= caller.weight / 2;
}

/**
 * Whether one line queries far more than the other lines below the same application function: a list is read with one query,
 * and its rows with many.
 */
function isQueriedInLoop(selection: Selection): boolean {
  const { view, stacks } = selection;
  const sites = new Map<number, { weight: number; functions: Set<number> }>();
  stacks.forEach((stack, i) => {
    const at = selection.callerAt(i);
    if (at < 0) return;
    const frame = view.index.stacks.frame[at]!;
    const site = sites.get(frame) ?? { weight: 0, functions: new Set() };
    site.weight += view.weights[stack]!;
    for (const fn of innerFunctions(selection, stack, at)) site.functions.add(fn);
    sites.set(frame, site);
  });
  const [first, ...others] = [...sites.values()].sort((a, b) => b.weight - a.weight);
  if (first === undefined) return false;
  const neighbours = others.filter(({ functions: fns }) => [...fns].some((fn) => first.functions.has(fn)));
  const weight = neighbours.reduce((sum, site) => sum + site.weight, 0);
  return weight > 0 && first.weight >= weight * loopRatio;
}

/** The function at an entry, and the next other application function above it. */
function innerFunctions({ view }: Selection, stack: number, at: number): number[] {
  const { index } = view;
  const own = view.functionAt(at);
  for (let above = at + 1; above < index.stacks.start[stack + 1]!; above++) {
    const fn = view.functionAt(above);
    if (fn !== own && index.isApplication[fn] === 1) return [own, fn];
  }
  return [own];
}
