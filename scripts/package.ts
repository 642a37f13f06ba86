// `npm run package -- FOLDER`: makes a folder that runs the server without npm. Images and archives are made from it.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isMusl } from "./bootstrap/platform.mjs";
import { operatorPrograms, serverFlags, serverMemory } from "./bootstrap/server-process.mjs";
import { billOfMaterials } from "./package/bill-of-materials.ts";
import { copyFiles, linkOwnPackages } from "./package/copy-files.ts";
import { type LockedPackages, packagesToRun } from "./package/locked-packages.ts";
import { makeNpmPackage } from "./package/npm-package.ts";
import { startCommand } from "./package/start-command.ts";
import { warmUp } from "./package/warm-up.ts";

const usage = `Usage: npm run package -- FOLDER [--without-engine] [--warm-up=UID] [--archive]
       npm run package -- FOLDER --npm [--archive]

Makes FOLDER, which must not exist, with the server, its packages and Node, for this platform. FOLDER/bin/flamekeep starts the server.
  --without-engine  leaves the built-in column store out: the server then needs CLICKHOUSE_URL
  --warm-up=UID     starts the server once as this user, so that its later starts at the same path find compiled modules
  --npm             makes the folder of the npm package \`flamekeep\` instead, for all platforms
  --archive         also makes FOLDER.tar.gz, with --npm FOLDER.tgz, and its checksum in a file that ends with .sha256`;

const root = fileURLToPath(new URL("..", import.meta.url));
const engineFolders = ["node_modules/chdb", "node_modules/@chdb"];
const platform = { os: process.platform, cpu: process.arch, libc: isMusl() ? "musl" : "glibc" };
const MB = 1e6;

interface Options {
  readonly engine: boolean;
  readonly warmUpUid: number | undefined;
}

/** @param node the executable that goes into the folder */
async function makePackage(node: string, folder: string, options: Options): Promise<void> {
  const locked = readLocked();
  const all = packagesToRun(locked, "packages/server", platform);
  const isEngine = (path: string) => engineFolders.some((each) => `${path}/`.startsWith(`${each}/`));
  const kept = options.engine ? all : all.filter((path) => !isEngine(path));
  // The warm-up needs the engine.
  const copied = options.warmUpUid === undefined ? kept : all;
  copyFiles(root, folder, copied);
  linkOwnPackages(folder, locked, copied);
  mkdirSync(join(folder, "bin"));
  cpSync(node, join(folder, "bin/node"));
  const start = startCommand({ flags: serverFlags, memory: serverMemory, programs: operatorPrograms });
  writeFileSync(join(folder, "bin/flamekeep"), start, { mode: 0o755 });
  if (options.warmUpUid !== undefined) await warmUp(folder, options.warmUpUid);
  if (!options.engine) {
    for (const path of engineFolders) rmSync(join(folder, path), { recursive: true, force: true });
  }
  listSoftware(node, folder, kept);
  cpSync(join(dirname(node), "../LICENSE"), join(folder, "LICENSE-of-node"));
}

function readLocked(): LockedPackages {
  return JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
}

/** @param packages that the folder has, or that npm installs with it */
function listSoftware(node: string, folder: string, packages: readonly string[]): void {
  const locked = readLocked();
  const bundled = packagesToRun(locked, "packages/web", platform);
  const external = [...new Set([...packages, ...bundled])].filter((path) => path.startsWith("node_modules/"));
  const nodeVersion = execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
  const { version = "" } = locked[""] ?? {};
  const bill = billOfMaterials(locked, external.toSorted(), { version, nodeVersion });
  writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
  writeFileSync(join(folder, "LICENSES-of-the-web-app.txt"), licences(bundled));
}

/** Packages that the web app was bundled from are in no `node_modules` of the folder. */
function licences(paths: readonly string[]): string {
  const files = paths.flatMap((path) => globSync(`${path}/{LICENSE,LICENCE,license}*`, { cwd: root }));
  return files
    .map((file) => `${dirname(file)}\n\n${readFileSync(join(root, file), "utf8").trim()}\n`)
    .join("\n\n");
}

/** @param ending npm's own is `.tgz`, and it ignores the name of the folder in the archive. */
function makeArchive(folder: string, ending: ".tar.gz" | ".tgz"): void {
  const name = `${basename(folder)}${ending}`;
  const inParent = { cwd: dirname(folder), encoding: "utf8" } as const;
  // Owned by root wherever it is unpacked by root.
  const owner = process.platform === "linux" ? ["--owner=0", "--group=0"] : [];
  execFileSync("tar", ["-czf", name, ...owner, basename(folder)], inParent);
  const sum = process.platform === "darwin" ? ["shasum", "-a", "256"] : ["sha256sum"];
  writeFileSync(`${folder}${ending}.sha256`, execFileSync(sum[0]!, [...sum.slice(1), name], inParent));
  say(`${folder}${ending}: ${megabytes(statSync(folder + ending).size)}`);
}

const megabytes = (bytes: number) => `${Math.round(bytes / MB)} MB`;
const say = (line: string) => process.stdout.write(`${line}\n`);

function sizeOf(folder: string): number {
  const files = globSync("**/*", { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "without-engine": { type: "boolean", default: false },
    "warm-up": { type: "string" },
    npm: { type: "boolean", default: false },
    archive: { type: "boolean", default: false },
  },
});
const [node, name] = positionals;
const isForFolders = values["without-engine"] || values["warm-up"] !== undefined;
const isValid = /^\d+$/.test(values["warm-up"] ?? "0") && !(values.npm && isForFolders);
if (node === undefined || name === undefined || !isValid) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 64;
} else {
  const folder = resolve(name);
  if (existsSync(folder)) {
    process.stderr.write(`${folder} exists: remove it, or name another folder.\n`);
    process.exitCode = 73;
  } else {
    const warmUpUid = values["warm-up"] === undefined ? undefined : Number(values["warm-up"]);
    if (values.npm) listSoftware(node, folder, makeNpmPackage(root, folder, readLocked()));
    else await makePackage(node, folder, { engine: !values["without-engine"], warmUpUid });
    say(`${folder}: ${megabytes(sizeOf(folder))}`);
    if (values.archive) makeArchive(folder, values.npm ? ".tgz" : ".tar.gz");
  }
}
