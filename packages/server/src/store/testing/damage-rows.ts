import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Overwrites bytes in parts of the profiles table.
 *
 * @param path the store's folder
 * @param day the beginning of a part's name, YYYYMMDD; by default every part
 * @returns the number of changed files
 */
export function damageRows(path: string, day = ""): number {
  const store = join(path, "store");
  const files = readdirSync(store, { recursive: true, encoding: "utf8" });
  const definition = files.find((name) => name.endsWith("/profiles.sql"))!;
  const [, id = ""] = /UUID '([^']+)'/.exec(readFileSync(join(store, definition), "utf8"))!;
  const rows = files.filter(
    (name) => name.includes(`${id}/${day}`) && name.endsWith("/data.bin") && !name.includes(".proj/"),
  );
  for (const name of rows) {
    const bytes = readFileSync(join(store, name));
    bytes.fill(0x58, bytes.length >> 1, (bytes.length >> 1) + 16);
    writeFileSync(join(store, name), bytes);
  }
  return rows.length;
}
