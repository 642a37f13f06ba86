// Runs once around all test files: gives them a folder for stores that are made once and copied for each test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

let folder = "";

export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), "flamekeep-templates-"));
  process.env.FLAMEKEEP_TEST_TEMPLATES = folder;
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
