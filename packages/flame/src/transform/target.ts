import type { FunctionTable } from "#tree/call-tree.ts";
import { functionsMatching } from "#view/search.ts";
import { functionRef } from "#view/selected-function.ts";
import { moduleOf } from "./module.ts";
import type { Target } from "./transform.ts";

/** 1 for each function that a target names. Never the root. */
export function functionsOf(functions: FunctionTable, { by, text }: Target): Uint8Array {
  const { packageName, length } = functions;
  const isMember = new Uint8Array(length);
  if (by === "search") return functionsMatching(functions, text);
  if (by === "function") return functionsReferredTo(functions, text);
  for (let fn = 1; fn < length; fn++) {
    if (by === "package") isMember[fn] = Number(isWithin(packageName[fn], text));
    else isMember[fn] = Number(moduleOf(packageName[fn], functions.file[fn]) === text);
  }
  return isMember;
}

/** The functions with the reference; those with the name, where the text is a name alone, or that are stored with it. */
function functionsReferredTo(functions: FunctionTable, text: string): Uint8Array {
  const { name, length } = functions;
  const isReferred = new Uint8Array(length);
  const isNamed = new Uint8Array(length);
  for (let fn = 1; fn < length; fn++) {
    if (!text.startsWith(name[fn])) continue;
    isNamed[fn] = Number(name[fn] === text);
    isReferred[fn] = Number(functionRef(functions, fn) === text);
  }
  if (isReferred.includes(1)) return isReferred;
  if (isNamed.includes(1) || functions.storedNames === undefined) return isNamed;
  return Uint8Array.from(functions.storedNames, (names) => Number(names.includes(text)));
}

/** `net/http` contains `net/http/httputil`, not `net/httpx`. */
function isWithin(packageName: string, path: string): boolean {
  return packageName === path || (path !== "" && packageName.startsWith(`${path}/`));
}
