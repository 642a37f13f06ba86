import type { Compilable, CompiledQuery } from "kysely";
import type { RowStore } from "./schema.ts";

/** Takes the place of a value that each run binds. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`the build of a prepared statement computes with "${this.name}" instead of binding it`);
  }
}

/**
 * A statement that Kysely builds and compiles once for each database: building it takes several times as long as running it in SQLite.
 * For statements of frequent requests only.
 *
 * @param build gets placeholders in place of the values: it must only bind them as parameters, and never inspect them
 */
export function prepared<Values extends object, Row>(
  build: (rows: RowStore, values: Values) => Compilable<Row>,
): (rows: RowStore, values: Values) => Compilable<Row> {
  /** The key is the adapter: each database has its own. */
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return (rows, values) => {
    const { adapter } = rows.getExecutor();
    const query = compiled.get(adapter) ?? build(rows, placeholders<Values>()).compile();
    compiled.set(adapter, query);
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? requiredValue(values, parameter.name) : parameter,
    );
    return { compile: () => ({ ...query, parameters }) };
  };
}

/** Runs a select. Returns its first row; undefined if there is none. */
export async function firstRow<Row>(rows: RowStore, query: Compilable<Row>): Promise<Row | undefined> {
  const found = await rows.executeQuery(query);
  return found.rows[0];
}

/** Kysely omits undefined values; a compiled statement cannot. */
function requiredValue(values: object, name: string): unknown {
  const value: unknown = values[name as keyof typeof values];
  if (value === undefined) throw new Error(`a prepared statement got no value for "${name}"`);
  return value;
}

function placeholders<Values extends object>(): Values {
  return new Proxy({} as Values, { get: (_, name) => new Placeholder(String(name)) });
}
