import { constants, cpSync, lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { type LockedPackages, nameOf } from "./locked-packages.ts";

/** Read at run time, besides the packages: the guide with its pictures, the profiles of the demo. */
const ownPaths = ["LICENSE", "CHANGELOG.md", "docs", "examples/shop/recorded", "packages/web/dist"];

/** Folders and files that only tests, tools and readers of the sources open. */
const ownLeftOut = /\.test\.ts$|^(testing|fixtures|assembly|README\.md|tsconfig.*\.json|decisions)$/;

/** Whether a file or folder of the project's packages stays behind. */
export function isLeftOut(path: string): boolean {
  return path.split("/").some((name) => ownLeftOut.test(name));
}

/** Files of packages that only compilers, debuggers and readers open. Licences stay. */
const packageLeftOut = /^(?!licen[cs]e|notice|copying).*\.(map|[cm]?tsx?|flow|md|markdown)$/i;

/** Copies what the server needs from the project to another folder. `paths`: keys of the lockfile. */
export function copyFiles(root: string, target: string, paths: readonly string[]): void {
  const copy = (path: string, filter: (name: string) => boolean) => {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(root, path), join(target, path), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      preserveTimestamps: true,
      filter: (from) => filter(basename(from)) && (from === join(root, path) || isOfPackage(from)),
    });
  };
  for (const path of ownPaths) copy(path, (name) => !ownLeftOut.test(name));
  for (const path of paths) {
    if (path.startsWith("node_modules/")) copy(path, (name) => !packageLeftOut.test(name));
    else {
      copy(`${path}/package.json`, () => true);
      copy(`${path}/src`, (name) => !ownLeftOut.test(name));
    }
  }
}

/** Packages in the `node_modules` of a package are entries of the lockfile themselves. */
function isOfPackage(from: string): boolean {
  return basename(from) !== "node_modules" && !lstatSync(from).isSymbolicLink();
}

/** Node reads types only outside of `node_modules`: the project's packages are links there, as npm makes them. */
export function linkOwnPackages(target: string, locked: LockedPackages, paths: readonly string[]): void {
  for (const [path, { link, resolved }] of Object.entries(locked)) {
    if (!link || resolved === undefined || !paths.includes(resolved)) continue;
    const place = join(target, "node_modules", nameOf(path));
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(relative(dirname(place), join(target, resolved)), place);
  }
}
