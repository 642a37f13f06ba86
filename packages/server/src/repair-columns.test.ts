import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { setAside } from "#store/column/restore/restore-quarantined.ts";
import { forgetIndexes, uploadsFolder } from "#store/payloads/segment-file.ts";
import { quietLog } from "#store/testing/backends.ts";
import { pictureOf, sendAllKinds } from "#testing/all-kinds.ts";
import { startApp } from "#testing/start-app.ts";

const program = fileURLToPath(new URL("repair-columns.ts", import.meta.url));

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "flamekeep-repair-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const open = () => startApp({ hasSeparateColumns: true, env: { DATA_DIR: dataDir } });

const rebuild = () =>
  new Promise<{ code: number | null; out: string }>((resolve) => {
    const env = { ...process.env, DATA_DIR: dataDir, DEMO: "off", LOG_LEVEL: "silent" };
    const child = spawn(process.execPath, [program, "rebuild-columns"], { env });
    let out = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text: Buffer) => {
        out += text.toString();
      });
    }
    child.on("close", (code) => resolve({ code, out }));
  });

it("rebuild-columns makes rows again that give the same figures, and copies those that the uploads do not have, after an interrupted one too", async () => {
  const before = await open();
  const person = await before.signUp();
  await sendAllKinds(before, person);
  const expected = await pictureOf(before, person);
  expect(await rebuild()).toMatchObject({ code: 1, out: expect.stringContaining("in use") });
  expect(readdirSync(dataDir).filter((name) => name.startsWith("quarantine"))).toEqual([]);
  await before.close();
  // As a rebuild that was killed early leaves it.
  await setAside(dataDir, quietLog);

  const { code, out } = await rebuild();
  expect([code, out]).toEqual([0, expect.stringContaining("Making the rows of all uploads again")]);
  expect(out).toContain(
    "quarantine-1 is restored: 1 profiles were copied between the stores, 40 were in both.",
  );
  expect(readdirSync(dataDir)).toContain("merged-quarantine-1-1");

  const after = await open();
  expect(await pictureOf(after, person)).toEqual(expected);
  await after.close();
});

it("a rebuild finds no uploads where their folder is missing", async () => {
  await expect(forgetIndexes(join(dataDir, uploadsFolder))).resolves.toBeUndefined();
});
