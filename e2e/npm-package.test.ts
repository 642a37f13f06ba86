import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { signUp } from "./harness/sign-up.ts";
import { root, startFlamekeep } from "./harness/start-flamekeep.ts";

let home: string;
/** Where a user ran `npm install flamekeep`. */
let folder: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "flamekeep-npm-"));
  folder = join(home, "app");
  makePackage("flamekeep", "--npm", "--archive");
  placeDependencies(join(folder, "node_modules"));
  // Offline, npm takes what is there, removes what the package does not need, and fails if something is missing.
  const isolated = ["--offline", "--ignore-scripts", "--cache", join(home, "cache")];
  const install = ["install", ...isolated, join(home, "flamekeep.tgz")];
  execFileSync("npm", install, { cwd: folder, stdio: "pipe" });
  // An older Node fetches it from the registry.
  cpSync(`${root}.node`, join(folder, "node_modules/flamekeep/.node"), { recursive: true });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function makePackage(name: string, ...options: readonly string[]): void {
  const bootstrap = ["scripts/bootstrap.mjs", "package", join(home, name), ...options];
  execFileSync(process.execPath, bootstrap, { cwd: root, stdio: "pipe" });
}

/** Those of the image's folder. */
function placeDependencies(target: string): void {
  makePackage("image");
  mkdirSync(dirname(target));
  renameSync(join(home, "image/node_modules"), target);
  rmSync(join(home, "image"), { recursive: true });
  // npm installs a package again whose command is not here.
  cpSync(`${root}node_modules/.bin`, join(target, ".bin"), { recursive: true, verbatimSymlinks: true });
}

const read = (path: string) => readFileSync(join(folder, "node_modules/flamekeep", path), "utf8");
const flamekeep = (args: readonly string[], env = {}) =>
  spawnSync("npx", ["flamekeep", ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });

const nodes = [
  ["the Node of this machine", process.env.PATH ?? ""],
  ["a Node that is new enough", `${dirname(process.execPath)}${delimiter}${process.env.PATH}`],
] as const;

describe.each(isFullLength ? nodes : nodes.slice(0, 1))("installed from npm, with %s", (_, PATH) => {
  test("serves the app, keeps its data in the current folder, is backed up, and stops", async () => {
    const dataDir = join(folder, "data");
    await using server = await startFlamekeep({
      dataDir,
      env: { DEMO: "off", PATH },
      // In the folder, with its default for data.
      command: ["sh", "-c", 'cd "$0" && unset DATA_DIR && exec npx flamekeep', folder],
    });
    const { url } = server;
    const account = await signUp(url);
    const { body } = recordedCpuProfile();
    const id = await account.send(body, `service=checkout&type=cpu&started_at=${Date.now() - 60_000}`);
    const { headers } = account;
    const download = await fetch(`${url}/api/v1/protected/profile/${id}/download`, { headers });
    expect(Buffer.compare(new Uint8Array(await download.arrayBuffer()), body)).toBe(0);
    const graph = await fetch(`${url}/api/v1/protected/flamegraph/${id}`, { headers });
    expect(graph.status).toBe(200);
    for (const path of ["/", "/docs", "/docs/settings", "/docs/flame-graph"])
      expect((await fetch(url + path)).status, path).toBe(200);

    const { port } = new URL(url);
    expect(flamekeep(["health"], { PATH, PORT: port })).toMatchObject({ status: 0 });
    const backup = flamekeep(["backup", join(home, "backups")], { PATH, DATA_DIR: dataDir });
    expect([backup.status, backup.stderr]).toEqual([0, ""]);

    await server.stop("SIGTERM");
    expect(server.output()).toContain("Stopping: finishing accepted work.");
    expect(readdirSync(dataDir)).toContain("flamekeep.sqlite");
  });
});

test("the package runs no script while it is installed, and has the versions of the lockfile", () => {
  const { scripts, dependencies, bin } = JSON.parse(read("package.json"));
  expect([scripts, bin]).toEqual([undefined, { flamekeep: "scripts/flamekeep.mjs" }]);
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  expect(Object.keys(dependencies).length).toBeGreaterThan(25);
  for (const [name, version] of Object.entries(dependencies))
    expect(packages[`node_modules/${name}`].version, name).toBe(version);
});

test("every import between its files leads to a file", () => {
  const files = globSync("packages/*/src/**/*.js", { cwd: join(folder, "node_modules/flamekeep") });
  expect(files.length).toBeGreaterThan(800);
  const imports = files.flatMap((file) =>
    [...read(file).matchAll(/(?:\bfrom|\bimport|\bnew URL)\s*\(?\s*"(\.[^"]*\/[^"/]+)"/g)].map(([, name]) =>
      join(dirname(file), name!),
    ),
  );
  expect(imports.length).toBeGreaterThan(1000);
  const exists = (path: string) => existsSync(join(folder, "node_modules/flamekeep", path));
  expect([...new Set(imports)].filter((path) => !path.includes("/.cache/") && !exists(path))).toEqual([]);
});

test("an unknown command is answered with the known ones", () => {
  const { status, stderr } = flamekeep(["serve"]);
  expect(stderr).toBe(
    "flamekeep: there is no command serve. Commands: start, health, doctor, backup, restore, export, import, move, plan-cluster, restore-quarantine, rebuild-columns, recount.\n",
  );
  expect(status).toBe(64);
});
