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
import { copyFiles } from "./package/copy-files.ts";
import { type LockedPackages, packagesToRun } from "./package/locked-packages.ts";
import { startCommand } from "./package/start-command.ts";
import { warmUp } from "./package/warm-up.ts";

const usage = `Usage: npm run package -- FOLDER [--without-engine] [--warm-up=UID] [--archive]

Makes FOLDER, which must not exist, with the server, its packages and Node, for this platform. FOLDER/bin/flamekeep starts the server.
  --without-engine  leaves the built-in column store out: the server then needs CLICKHOUSE_URL
  --warm-up=UID     starts the server once as this user, so that its later starts at the same path find compiled modules
  --archive         also makes FOLDER.tar.gz and its checksum FOLDER.tar.gz.sha256`;

const root = fileURLToPath(new URL("..", import.meta.url));
const engineFolders = ["node_modules/chdb", "node_modules/@chdb"];
const MB = 1e6;

interface Options {
  readonly engine: boolean;
  readonly warmUpUid: number | undefined;
}

/** @param node the executable that goes into the folder */
async function makePackage(node: string, folder: string, options: Options): Promise<void> {
  const { packages: locked, version } = readJson("package-lock.json");
  const platform = { os: process.platform, cpu: process.arch, libc: isMusl() ? "musl" : "glibc" };
  const all = packagesToRun(locked, "packages/server", platform);
  const isEngine = (path: string) => engineFolders.some((each) => `${path}/`.startsWith(`${each}/`));
  const kept = options.engine ? all : all.filter((path) => !isEngine(path));
  // The warm-up needs the engine.
  copyFiles(root, folder, locked, options.warmUpUid === undefined ? kept : all);
  mkdirSync(join(folder, "bin"));
  cpSync(node, join(folder, "bin/node"));
  const start = startCommand({ flags: serverFlags, memory: serverMemory, programs: operatorPrograms });
  writeFileSync(join(folder, "bin/flamekeep"), start, { mode: 0o755 });
  if (options.warmUpUid !== undefined) await warmUp(folder, options.warmUpUid);
  if (!options.engine) {
    for (const path of engineFolders) rmSync(join(folder, path), { recursive: true, force: true });
  }
  const bundled = packagesToRun(locked, "packages/web", platform);
  const external = [...new Set([...kept, ...bundled])].filter((path) => path.startsWith("node_modules/"));
  const nodeVersion = execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
  const bill = billOfMaterials(locked, external.toSorted(), { version, nodeVersion });
  writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
  writeFileSync(join(folder, "LICENSES-of-the-web-app.txt"), licences(bundled));
  cpSync(join(dirname(node), "../LICENSE"), join(folder, "LICENSE-of-node"));
}

function readJson(path: string): { packages: LockedPackages; version: string } {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

/** Packages that the web app was bundled from are in no `node_modules` of the folder. */
function licences(paths: readonly string[]): string {
  const files = paths.flatMap((path) => globSync(`${path}/{LICENSE,LICENCE,license}*`, { cwd: root }));
  return files
    .map((file) => `${dirname(file)}\n\n${readFileSync(join(root, file), "utf8").trim()}\n`)
    .join("\n\n");
}

function makeArchive(folder: string): void {
  const name = `${basename(folder)}.tar.gz`;
  const inParent = { cwd: dirname(folder), encoding: "utf8" } as const;
  // Owned by root wherever it is unpacked by root.
  const owner = process.platform === "linux" ? ["--owner=0", "--group=0"] : [];
  execFileSync("tar", ["-czf", name, ...owner, basename(folder)], inParent);
  const sum = process.platform === "darwin" ? ["shasum", "-a", "256"] : ["sha256sum"];
  writeFileSync(`${folder}.tar.gz.sha256`, execFileSync(sum[0]!, [...sum.slice(1), name], inParent));
  say(`${folder}.tar.gz: ${megabytes(statSync(`${folder}.tar.gz`).size)}`);
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
    archive: { type: "boolean", default: false },
  },
});
const [node, name] = positionals;
if (node === undefined || name === undefined || !/^\d+$/.test(values["warm-up"] ?? "0")) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 64;
} else {
  const folder = resolve(name);
  if (existsSync(folder)) {
    process.stderr.write(`${folder} exists: remove it, or name another folder.\n`);
    process.exitCode = 73;
  } else {
    const warmUpUid = values["warm-up"] === undefined ? undefined : Number(values["warm-up"]);
    await makePackage(node, folder, { engine: !values["without-engine"], warmUpUid });
    say(`${folder}: ${megabytes(sizeOf(folder))}`);
    if (values.archive) makeArchive(folder);
  }
}
