import { isStandardLibrary } from "@flamekeep/profile";
import { subsystemOf } from "#colour/subsystem.ts";
import type { FunctionTable } from "#tree/call-tree.ts";
import { functionsMatching } from "#view/search.ts";
import { functionRef } from "#view/selected-function.ts";
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

/** Hosts whose modules are at least `host/owner/repository`. */
const codeHosts = new Set([
  "github.com",
  "gitlab.com",
  "bitbucket.org",
  "codeberg.org",
  "golang.org",
  "git.sr.ht",
]);

/**
 * The module of a package, as far as its path tells: `github.com/acme/shop` of `github.com/acme/shop/cart`, the directory before `@v` where
 * a file is from Go's module cache; "" for Go's library and where there is no package. Package main has no path: it is in the module of
 * its file where the path shows one, else in `main`.
 */
export function moduleOf(packageName: string, file: string): string {
  const cached = /\/mod\/([^@]{1,1000})@v\d/u.exec(file)?.[1];
  // The cache writes upper case as an exclamation mark and a small letter.
  const module = cached?.replace(/!([a-z])/gu, (_, letter: string) => letter.toUpperCase());
  if (packageName === "main") return module ?? (moduleOfPath(mainPath(file)) || packageName);
  if (module !== undefined && (packageName === module || packageName.startsWith(`${module}/`))) return module;
  return moduleOfPath(packageName);
}

/** Dependencies, whose packages are known by their files. */
const installed = /^(?:node_modules|site-packages|gems|crates)\//u;

function moduleOfPath(path: string): string {
  if (installed.test(path)) return path;
  const elements = path.split("/");
  const [host] = elements;
  if (host.includes(".")) {
    const length = codeHosts.has(host) ? 3 : 2;
    const isVersion = /^v\d+$/u.test(elements[length] ?? "");
    return elements.slice(0, isVersion ? length + 1 : length).join("/");
  }
  return isStandardLibrary(path) ? "" : host;
}

/**
 * The import path of package main by one of its files; "" where the file does not show it. Programs built with -trimpath name their files
 * by import path: `shop/cmd/shop/router.go`. A file anywhere on a disk says nothing about modules.
 */
function mainPath(file: string): string {
  const isByImportPath = file.endsWith(".go") && !/^(?:[/._]|[A-Za-z]:|command-line-arguments\/)/u.test(file);
  const [path] = file.slice(0, Math.max(0, file.lastIndexOf("/"))).split("@");
  return isByImportPath ? path : "";
}

/** The modules of the program itself, those with most functions first. */
export function ownModules({ length, packageName, file }: FunctionTable): readonly string[] {
  const functions = new Map<string, number>();
  for (let fn = 1; fn < length; fn++) {
    if (subsystemOf(packageName[fn], file[fn]) !== "application") continue;
    const module = moduleOf(packageName[fn], file[fn]);
    if (module !== "") functions.set(module, (functions.get(module) ?? 0) + 1);
  }
  return [...functions].sort(([a, of], [b, ofB]) => ofB - of || (a < b ? -1 : 1)).map(([module]) => module);
}
