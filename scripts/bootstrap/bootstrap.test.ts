import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isInstalled, missingForPlatform } from "./dependencies.mjs";
import { explain } from "./npm.mjs";
import { serverFlags } from "./server-process.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
interface LockedPackage {
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Record<string, string>;
}

const lockedPackages: Record<string, LockedPackage> = JSON.parse(
  readFileSync(join(root, "package-lock.json"), "utf8"),
).packages;

const run = (args: string[], env: Record<string, string>) =>
  spawnSync(process.execPath, [join(root, "scripts/bootstrap.mjs"), ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, ...env },
  });

test("an unknown command is answered with the known ones, in one line", () => {
  const { status, stderr } = run(["serve"], {});
  expect(stderr).toBe(
    "Choose one of: start, build, package, release, doctor, backup, restore, export, import, move, plan-cluster, restore-quarantine, rebuild-columns, recount, dev, test, test:near, test:senders, mutate, verify, screenshots, bench.\n",
  );
  expect(status).toBe(1);
});

test("a Chromium that does not exist is named in one line", () => {
  const { status, stderr } = run(["test"], { CHROMIUM_PATH: "/nowhere/chromium" });
  expect(stderr).toBe("CHROMIUM_PATH names /nowhere/chromium, which does not exist.\n");
  expect(status).toBe(1);
});

/** Finds the tools for tests where these programs exist: scripts that note how they were called. */
function findToolsWith(programs: Record<string, string>, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "flamekeep-tools-"));
  for (const [name, script] of Object.entries(programs)) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> ${folder}/calls\n${script}\n`, { mode: 0o755 });
  }
  const module = join(root, "scripts/bootstrap/test-tools.mjs");
  const code = `import { findTestTools } from ${JSON.stringify(module)};
    console.log((await findTestTools()).chromium);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    env: { PATH: folder, ...env },
  });
  const calls = existsSync(join(folder, "calls")) ? readFileSync(join(folder, "calls"), "utf8") : "";
  rmSync(folder, { recursive: true });
  const chromium = stdout.trim().split("\n").at(-1)?.replace(`${folder}/`, "");
  return { chromium, calls: calls.trim().split("\n"), stderr };
}

const tools = { chromium: "", initdb: "", nginx: "" };

test("the browser tests take Chromium without windows where it is installed", () => {
  const found = findToolsWith({ ...tools, "google-chrome": "", "chromium-headless-shell": "" });
  expect(found).toEqual({ chromium: "chromium-headless-shell", calls: [""], stderr: "" });
  expect(findToolsWith(tools)).toEqual({ chromium: "chromium", calls: [""], stderr: "" });
});

test.runIf(process.getuid?.() === 0 && existsSync("/etc/debian_version"))(
  "it is installed in the version of Debian's Chromium, and only if nobody chose a browser",
  () => {
    const debian = {
      ...tools,
      "dpkg-query": String.raw`printf 'chromium\t156.0-1\n'`,
      "apt-cache": "",
      "apt-get": 'printf "" > "$PATH/chromium-headless-shell"',
    };
    const version = "chromium-headless-shell=156.0-1";
    const looked = ["dpkg-query -W chromium", `apt-cache show ${version}`];
    const installed = `apt-get install -y -qq --no-install-recommends ${version}`;
    expect(findToolsWith(debian)).toEqual({
      chromium: "chromium-headless-shell",
      calls: [...looked, installed],
      stderr: "",
    });
    const unknown = { ...debian, "apt-cache": "exit 100" };
    expect(findToolsWith(unknown)).toEqual({ chromium: "chromium", calls: looked, stderr: "" });
    const failing = { ...debian, "apt-get": "exit 100" };
    expect(findToolsWith(failing)).toMatchObject({ chromium: "chromium", calls: [...looked, installed] });
    const chosen = findToolsWith(debian, { CHROMIUM_PATH: process.execPath });
    expect(chosen).toEqual({ chromium: process.execPath, calls: [""], stderr: "" });
  },
);

test("the server takes the place of what set it up, with its flags, its settings, its exit code and no process between", () => {
  const module = new URL("run.mjs", import.meta.url).href;
  const program = `console.log(process.pid, process.cwd(), process.execArgv[0], process.env.SET); process.exitCode = 7;`;
  const args = ["--max-semi-space-size=8", "-e", program];
  const code = `import { become } from ${JSON.stringify(module)};
    process.exit(await become(process.execPath, ${JSON.stringify(args)}, { env: { ...process.env, SET: "here" } }));`;
  const { pid, stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    cwd: tmpdir(),
  });
  expect([stdout.trim(), stderr, status]).toEqual([
    `${pid} ${root.replace(/\/$/, "")} --max-semi-space-size=8 here`,
    "",
    7,
  ]);
});

test("the server is started without flags for which V8 would compile Node's own modules again", () => {
  const run = (program: string, ...flags: string[]) =>
    spawnSync(process.execPath, [...flags, "-p", program], { encoding: "utf8" }).stdout.trim();
  const code = run(`new vm.Script("1").createCachedData().toString("base64")`);
  const isRejected = `new vm.Script("1", { cachedData: Buffer.from("${code}", "base64") }).cachedDataRejected`;
  expect(run(isRejected, ...serverFlags)).toBe("false");
  expect(run(isRejected, ...serverFlags, "--heap-growing-percent=50")).toBe("true");
});

test.each([
  ["the system", "process.kill(process.pid, 'SIGKILL')"],
  ["V8", "process.stderr.write('JavaScript heap out of memory'); process.abort()"],
])("a step that %s kills for want of memory is explained in one line", (_, program) => {
  const module = new URL("run.mjs", import.meta.url).href;
  const log = join(mkdtempSync(join(tmpdir(), "flamekeep-killed-")), "log");
  const options = JSON.stringify({ log, memoryNeeded: "1 GiB" });
  const code = `import { runQuietly } from ${JSON.stringify(module)};
    await runQuietly(process.execPath, ["-e", ${JSON.stringify(program)}], ${options}).catch(({ message, exitCode }) => {
      console.log(message); process.exitCode = exitCode; });`;
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
  });
  rmSync(dirname(log), { recursive: true });
  expect(stdout.trim()).toMatch(
    /^Killed, as the system does where memory runs out: this container or machine has \d+ MiB\. This step needs 1 GiB\. Give it more, then run the same command again\.$/,
  );
  expect(status).toBe(137);
});

test("npm's failures become one sentence each", () => {
  expect(explain("npm error code ECONNREFUSED\nnpm error errno")).toMatch(
    /cannot reach its package registry/,
  );
  expect(explain("npm ERR! code ENOSPC")).toMatch(/disk is full/);
  expect(explain("npm error code EWHATEVER")).toBeUndefined();
  expect(explain("")).toBeUndefined();
});

test.each(["notice", "silent"])(
  "an unreachable registry ends the set-up in one line, npm being %s",
  (level) => {
    const folder = mkdtempSync(join(tmpdir(), "flamekeep-bootstrap-"));
    const script = `import { npm } from ${JSON.stringify(join(root, "scripts/bootstrap/npm.mjs"))};
    await npm(["install", "--prefix", ${JSON.stringify(folder)}, "left-pad@1.3.0"], "install it").catch((e) => console.log(e.message));`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        npm_config_registry: "http://127.0.0.1:1/",
        npm_config_cache: join(folder, "cache"),
        npm_config_fetch_retries: "0",
        npm_config_loglevel: level,
      },
    });
    rmSync(folder, { recursive: true });
    expect(stdout).toBe(
      "npm cannot reach its package registry: check the network, the proxy, and `npm config get registry`. (ECONNREFUSED)\n",
    );
  },
);

test("dependencies are installed when every locked version is installed", () => {
  const wanted = {
    "": { version: "1.0.0" },
    "node_modules/a": { version: "1.0.0" },
    "node_modules/native-mac": { version: "2.0.0", optional: true },
    "node_modules/ours": { link: true },
  };
  const isPresent = (installed: Parameters<typeof isInstalled>[1]) =>
    isInstalled(wanted, installed, () => true);
  expect(isPresent({ "node_modules/a": { version: "1.0.0" } })).toBe(true);
  expect(isPresent({ "node_modules/a": { version: "1.0.1" } })).toBe(false);
  expect(isPresent({})).toBe(false);
});

test("a package that npm's own list names but whose folder is missing is not installed", () => {
  const packages = { "node_modules/a": { version: "1.0.0" }, "node_modules/b": { version: "1.0.0" } };
  expect(isInstalled(packages, packages, (path) => path === "node_modules/a")).toBe(false);
});

test("native packages that npm left out are found for each platform", () => {
  const installed = (path: string) => path === "node_modules/@chdb/lib-linux-x64-gnu";
  const chdb = {
    "node_modules/chdb": {
      optionalDependencies: lockedPackages["node_modules/chdb"]?.optionalDependencies ?? {},
    },
  };
  const mac = missingForPlatform(chdb, { includes: "darwin-arm64", excludes: /^$/ }, installed);
  expect(mac).toEqual([expect.stringMatching(/^@chdb\/lib-darwin-arm64@\d/)]);
  expect(missingForPlatform(chdb, { includes: "linux-x64", excludes: /musl$/ }, installed)).toEqual([]);
});

test("the lockfile has the libraries of every platform, with their checksums", () => {
  const native = Object.values(lockedPackages).flatMap((entry) =>
    Object.keys(entry.optionalDependencies ?? {}),
  );
  expect(native.length).toBeGreaterThan(40);
  const isLocked = (name: string) =>
    Object.keys(lockedPackages).some((path) => path.endsWith(`node_modules/${name}`));
  expect(native.filter((name) => !isLocked(name))).toEqual([]);
  const unchecked = Object.entries(lockedPackages).filter(
    ([path, entry]) => path.startsWith("node_modules/") && !entry.link && !entry.inBundle && !entry.integrity,
  );
  // Registries that mirror only a part of npm lack these, and a checksum cannot be computed without the file.
  expect(unchecked.map(([path]) => path)).toEqual([
    "node_modules/@chdb/lib-darwin-arm64",
    "node_modules/@chdb/lib-darwin-x64",
    "node_modules/@chdb/lib-linux-arm64-gnu",
  ]);
  expect(Object.entries(lockedPackages).filter(([, { resolved }]) => resolved?.includes("//"))).toEqual([]);
});

test.each([
  ["darwin", "arm64"],
  ["linux", "arm64"],
])("npm ci installs from the lockfile on %s-%s", (os, cpu) => {
  const folder = mkdtempSync(join(tmpdir(), "flamekeep-lock-"));
  const manifests = globSync(["package{,-lock}.json", "{packages/*,e2e,bench}/package.json"], { cwd: root });
  expect(manifests.length).toBeGreaterThan(6);
  for (const path of manifests) cpSync(join(root, path), join(folder, path));
  const args = [
    "ci",
    "--dry-run",
    "--offline",
    "--ignore-scripts",
    "--loglevel=notice",
    `--os=${os}`,
    `--cpu=${cpu}`,
  ];
  const { stdout, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(stderr).not.toContain("npm error");
  expect(stdout).toContain(`add @rolldown/binding-${os}-${cpu}`);
  expect(stdout).toContain(`add @chdb/lib-${os}-${cpu}`);
});
