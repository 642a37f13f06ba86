import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inGroup, memoryGroup } from "./harness/memory-group.ts";
import { recordedCpuProfile } from "./harness/recordings.ts";
import { signUp } from "./harness/sign-up.ts";
import { root, startFlamekeep } from "./harness/start-flamekeep.ts";

const dockerfile = readFileSync(`${root}Dockerfile`, "utf8");
/** The user of the image. */
const uid = 65_532;
const isRoot = process.getuid?.() === 0;

let folder: string;
let dataDir: string;
beforeAll(() => {
  const home = mkdtempSync(join(tmpdir(), "flamekeep-installed-"));
  chmodSync(home, 0o755);
  folder = join(home, "flamekeep");
  dataDir = mkdtempSync(join(tmpdir(), "flamekeep-installed-data-"));
  if (isRoot) chownSync(dataDir, uid, uid);
});
afterAll(() => {
  rmSync(join(folder, ".."), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs a command of the Dockerfile that makes the folder `/flamekeep`, here in another place, and without the warm-up if asked. */
function runStep(stage: string, target: string, { isWarm = isRoot } = {}): void {
  const step = new RegExp(`AS ${stage}\nRUN npm run (package) -- /flamekeep(.*)`).exec(dockerfile)!;
  const args = [...step[2]!.trim().split(" ")].filter((arg) => isWarm || !arg.startsWith("--warm-up"));
  execFileSync(process.execPath, ["scripts/bootstrap.mjs", step[1]!, target, ...args], { cwd: root });
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

describe("the folder of the image", () => {
  beforeAll(() => runStep("folder", folder));

  test("has the server and its packages, and no other software", () => {
    const packages = globSync(["node_modules/*", "node_modules/@*/*"], { cwd: folder });
    expect(packages.length).toBeGreaterThan(80);
    for (const name of ["chdb", "fastify", "@flamekeep/profile"])
      expect(packages).toContain(`node_modules/${name}`);
    expect(packages.join(" ")).not.toMatch(
      /musl|darwin|\b(typescript|vitest|vite|react|npm|@types|@biomejs)\b/,
    );
    expect(globSync("packages/**/*.test.ts", { cwd: folder })).toEqual([]);
    const bill = JSON.parse(readFileSync(join(folder, "sbom.cdx.json"), "utf8"));
    const named = new Set(bill.components.map(({ name }: { name: string }) => name));
    for (const path of packages) {
      const name = path.slice("node_modules/".length);
      if (!name.startsWith("@flamekeep/") && !/^@[^/]+$/.test(name)) expect([...named]).toContain(name);
    }
    for (const name of ["react", "node"]) expect([...named]).toContain(name);
    expect(existsSync(join(folder, "examples/shop/recorded/manifest.json"))).toBe(true);
  });

  test.runIf(isRoot)("has compiled modules that the user of the image reads and cannot change", () => {
    const files = globSync(`compiled/*-${uid}/*`, { cwd: folder }).map((file) =>
      statSync(join(folder, file)),
    );
    expect(files.length).toBeGreaterThan(1000);
    expect(files.filter((file) => file.uid === uid || (file.mode & 0o7) !== 0o4)).toEqual([]);
  });

  test.runIf(isRoot)(
    "runs as the first process, from a read-only folder, unprivileged, with 1 GB, and stops by SIGTERM",
    async () => {
      const group = memoryGroup(1024);
      try {
        const readOnly = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"';
        const container = [
          "unshare",
          "--pid",
          "--fork",
          "--mount-proc",
          "--kill-child",
          "sh",
          "-c",
          readOnly,
          "sh",
          folder,
        ];
        const user = [
          `--reuid=${uid}`,
          `--regid=${uid}`,
          "--clear-groups",
          "--no-new-privs",
          "--bounding-set=-all",
        ];
        const command = [...container, "setpriv", ...user, join(folder, "bin/flamekeep")] as const;
        await using flamekeep = await startFlamekeep({
          dataDir,
          env: { DEMO: "off" },
          command: group === undefined ? ["env", ...command] : inGroup(group, ...command),
        });
        const { url } = flamekeep;
        const account = await signUp(url);
        const { body } = recordedCpuProfile();
        const id = await account.send(body, `service=checkout&type=cpu&started_at=${Date.now() - 60_000}`);
        const download = await fetch(`${url}/api/v1/protected/profile/${id}/download`, {
          headers: account.headers,
        });
        expect(Buffer.compare(new Uint8Array(await download.arrayBuffer()), body)).toBe(0);
        for (const path of ["/", "/docs", "/docs/settings", "/docs/flame-graph"])
          expect((await fetch(url + path)).status, path).toBe(200);

        const [first = 0, ...others] = childrenOf(flamekeep.pid);
        expect(others).toEqual([]);
        const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        expect(commandOf(first)[0]).toBe(join(folder, "bin/node"));
        const [engine = 0, ...rest] = childrenOf(first);
        expect(rest).toEqual([]);
        process.kill(engine, "SIGKILL");
        await expect.poll(() => childrenOf(first), { timeout: 30_000 }).not.toContain(engine);
        await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 30_000 }).toBe(200);
        expect(childrenOf(first).length).toBe(1);

        const health = (port: string) =>
          spawnSync(join(folder, "bin/flamekeep"), ["health"], {
            env: { PORT: port, HOST: "0.0.0.0" },
            encoding: "utf8",
          });
        expect(health(new URL(url).port)).toMatchObject({ status: 0, stderr: "" });
        expect(health("1")).toMatchObject({ status: 1, stderr: expect.stringContaining("does not answer") });

        process.kill(first, "SIGTERM");
        expect(await flamekeep.ended).toBe(0);
        expect(flamekeep.output()).toContain("Stopping: finishing accepted work.");
        expect(group?.killed() ?? 0).toBe(0);
      } finally {
        group?.remove();
      }
    },
  );
});

test.runIf(isFullLength)(
  "the folder without the engine is small, and names the setting that it needs",
  () => {
    const small = `${folder}-without-engine`;
    runStep("folder-without-engine", small, { isWarm: false });
    const packages = globSync(["node_modules/*chdb*"], { cwd: small });
    expect(packages).toEqual([]);
    const { status, stderr } = spawnSync(join(small, "bin/flamekeep"), {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: "0" },
      encoding: "utf8",
    });
    expect(stderr).toContain(
      "CLICKHOUSE_URL is required, because this installation has no built-in column store",
    );
    expect(status).toBe(78);
  },
);

test("the command of the folder names its commands", () => {
  const { status, stderr } = spawnSync(join(folder, "bin/flamekeep"), ["serve"], { encoding: "utf8" });
  expect(stderr).toBe(
    "flamekeep: there is no command serve. Commands: start, health, doctor, backup, restore, export, import, move, plan-cluster, restore-quarantine, rebuild-columns, recount.\n",
  );
  expect(status).toBe(64);
});
