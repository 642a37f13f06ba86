// Runs once around the browser tests: starts the server that their files share. Each person in a test has a new organization.
import type { TestProject } from "vitest/node";
import { type Flamekeep, startFlamekeep } from "./start-flamekeep.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** URL of the server that the files of browser tests share. */
    flamekeepUrl: string;
    /** Its data folder. */
    flamekeepDataDir: string;
  }
}

let flamekeep: Flamekeep;

export async function setup(project: TestProject): Promise<void> {
  flamekeep = await startFlamekeep({ env: { DEMO: "off" } });
  project.provide("flamekeepUrl", flamekeep.url);
  project.provide("flamekeepDataDir", flamekeep.dataDir);
}

export async function teardown(): Promise<void> {
  await flamekeep[Symbol.asyncDispose]();
}
