import type { LineFrame } from "#write/stack-lines.ts";

/** `vfs_read+0x1f (/lib/vmlinux)`: the symbol, and the file that has it, which may be missing. */
export function framesOfSymbol(line: string): LineFrame[] {
  const text = line.endsWith(" (deleted))") ? `${line.slice(0, -" (deleted))".length)})` : line;
  const open = text.endsWith(")") ? text.lastIndexOf(" (") : -1;
  const symbol = (open < 0 ? text : text.slice(0, open)).trim();
  const object = open < 0 ? "" : text.slice(open + 2, -1);
  const at = symbol.lastIndexOf("+0x");
  const name = at > 0 && /^\+0x[0-9a-f]{1,16}$/.test(symbol.slice(at)) ? symbol.slice(0, at) : symbol;
  if (name === "[unknown]" || name === "") return [{ name: nameOfObject(object), file: "", line: 0 }];
  if (name.startsWith("L") && name.includes(";")) return name.split("->").reverse().map(javaMethod);
  return [scriptFunction(name) ?? { name, file: "", line: 0 }];
}

/** As in stackcollapse-perf.pl. Files of symbols of a process are named after its number. */
function nameOfObject(object: string): string {
  if (object === "" || object.startsWith("[")) return object || "[unknown]";
  const name = object.slice(object.lastIndexOf("/") + 1);
  return /^perf-\d{1,10}\.map$/.test(name) ? "[unknown]" : `[${name}]`;
}

/** `Ljava/util/HashMap;::get` of perf-map-agent as `java/util/HashMap.get`, as recordings of Java have it. */
function javaMethod(text: string): LineFrame {
  const [, type, method] = /^L([^;]{1,1000});(?:::|\.)?([^(]{0,1000})/.exec(text) ?? [];
  const name = type === undefined ? text : method ? `${type}.${method}` : type;
  return { name, file: "", line: 0 };
}

/** `LazyCompile:*render /app/view.js:12:4` of Node.js with --perf-basic-prof; the mark says how it was compiled. */
function scriptFunction(text: string): LineFrame | undefined {
  const kind = /^(?:LazyCompile|Function|JS|Script|Eval):[*~^+]?/.exec(text)?.[0];
  if (kind === undefined) return undefined;
  const rest = text.slice(kind.length);
  const space = rest.indexOf(" ");
  const name = (space < 0 ? rest : rest.slice(0, space)) || "(anonymous)";
  const [, file = "", line = "0"] =
    /^([^:]{1,4000}|[a-z]{2,8}:[^:]{1,4000}):(\d{1,9})(?::\d{1,9})?$/.exec(rest.slice(space + 1)) ?? [];
  return { name, file: space < 0 ? "" : file, line: space < 0 ? 0 : Number(line) };
}
