import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, posix } from "node:path";
import { copyFiles } from "./copy-files.ts";
import { dependencyFrom, type LockedPackages, packagesToRun } from "./locked-packages.ts";

const launcher = [
  "scripts/flamekeep.mjs",
  ...["node", "npm", "paths", "platform", "run", "say", "server-process"].map(
    (name) => `scripts/bootstrap/${name}.mjs`,
  ),
];
const scope = "@flamekeep/";

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Makes the folder of the npm package `flamekeep`. Node reads no types below `node_modules`, hence the sources lose theirs and keep their
 * lines. The project's packages remain folders of the one package.
 *
 * @returns the packages that npm installs with it on some platform, as keys of `locked`
 */
export function makeNpmPackage(root: string, folder: string, locked: LockedPackages): readonly string[] {
  const all = packagesToRun(locked, "packages/server");
  const own = all.filter((path) => path.startsWith("packages/"));
  copyFiles(root, folder, own);
  for (const path of launcher) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  cpSync(join(root, "scripts/package/npm-readme.md"), join(folder, "README.md"));
  const entries = new Map(own.flatMap((path) => [...entriesOf(root, path)]));
  for (const path of own) {
    for (const file of globSync(`${path}/src/**/*.ts`, { cwd: folder })) withoutTypes(folder, file, entries);
    const manifest = join(folder, path, "package.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replaceAll('.ts"', '.js"'));
  }
  const { version, description, license, engines } = readManifest(root, ".");
  const manifest = {
    name: "flamekeep",
    version,
    description,
    license,
    type: "module",
    engines,
    bin: { flamekeep: launcher[0] },
    dependencies: dependenciesOf(root, locked, own),
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  return all.filter((path) => !own.includes(path));
}

/** The names by which other packages of the project import files of one, such as `@flamekeep/contract/limits`, with the files. */
function entriesOf(root: string, path: string): Iterable<[string, string]> {
  const { exports = {} } = readManifest(root, path);
  return Object.entries(exports).map(([name, file]) => [
    posix.join(path.replace("packages/", scope), name),
    posix.join(path, file),
  ]);
}

const specifier = /(\b(?:from|import)\s*\(?\s*|\bnew URL\(\s*)"([^"\n]+)"/g;
const isLeft = new RegExp(`"${scope}[^"\n]*"|"[^"\n]*\\.ts"`);

function withoutTypes(folder: string, file: string, entries: ReadonlyMap<string, string>): void {
  const source = stripTypeScriptTypes(readFileSync(join(folder, file), "utf8"));
  const code = source.replace(specifier, (text, before: string, name: string) => {
    const entry = entries.get(name);
    if (entry === undefined) return text.replace(/\.ts"$/, '.js"');
    const path = posix.relative(dirname(file), entry).replace(/\.ts$/, ".js");
    return `${before}"${path.startsWith(".") ? path : `./${path}`}"`;
  });
  const left = isLeft.exec(code)?.[0];
  if (left !== undefined) throw new Error(`${file} has ${left}, which the npm package would not find`);
  writeFileSync(join(folder, file.replace(/ts$/, "js")), code);
  rmSync(join(folder, file));
}

/** The versions that were tested: those of the lockfile. */
function dependenciesOf(
  root: string,
  locked: LockedPackages,
  own: readonly string[],
): Readonly<Record<string, string>> {
  const names = own.flatMap((path) =>
    Object.keys(readManifest(root, path).dependencies ?? {}).map((name) => ({ path, name })),
  );
  const versions = names
    .filter(({ name }) => !name.startsWith(scope))
    .map(({ path, name }) => [name, locked[dependencyFrom(locked, path, name)!]!.version!] as const);
  return Object.fromEntries(versions.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function readManifest(root: string, path: string): Manifest {
  return JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
}
