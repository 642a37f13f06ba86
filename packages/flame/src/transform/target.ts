import type { FunctionTable } from "#tree/call-tree.ts";
import { functionsMatching } from "#view/search.ts";
import { moduleOf } from "./module.ts";
import type { Target } from "./transform.ts";

/** 1 for each function that a target names. Never the root. */
export function functionsOf(functions: FunctionTable, { by, text }: Target): Uint8Array {
  const { name, packageName, length } = functions;
  const isMember = new Uint8Array(length);
  if (by === "search") return functionsMatching(functions, text);
  for (let fn = 1; fn < length; fn++) {
    if (by === "function") isMember[fn] = Number(name[fn] === text);
    else if (by === "package") isMember[fn] = Number(isWithin(packageName[fn], text));
    else isMember[fn] = Number(moduleOf(packageName[fn], functions.file[fn]) === text);
  }
  return isMember;
}

/** `net/http` contains `net/http/httputil`, not `net/httpx`. */
function isWithin(packageName: string, path: string): boolean {
  return packageName === path || (path !== "" && packageName.startsWith(`${path}/`));
}
