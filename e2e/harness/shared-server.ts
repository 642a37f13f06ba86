// Runs once around the browser tests: starts the server that their files share. Each person in a test has a new organization.
// A second server has the demo. It starts when the first file asks for it: its data takes longer to write than most files run.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { type Flamekeep, startFlamekeep } from "./start-flamekeep.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** URL of the server that the files of browser tests share. */
    flamekeepUrl: string;
    /** Its data folder. */
    flamekeepDataDir: string;
    /** Replies with the URL of the server that has the demo, once it is ready. */
    demoStarterUrl: string;
  }
}

let flamekeep: Flamekeep;
let demo: Promise<Flamekeep> | undefined;
let demoStarter: Server;

/** As the first start leaves it, with one day of the demo's week. */
function startDemo(): Promise<Flamekeep> {
  return startFlamekeep({ env: { SELF_PROFILING_KEY: "off", RETENTION_DAYS: "1" } });
}

export async function setup(project: TestProject): Promise<void> {
  // Services get no analysis that the test did not start.
  flamekeep = await startFlamekeep({ env: { DEMO: "off", ANALYSIS_DAILY: "off" } });
  project.provide("flamekeepUrl", flamekeep.url);
  project.provide("flamekeepDataDir", flamekeep.dataDir);
  demoStarter = createServer(async (_, reply) => {
    demo ??= startDemo();
    await demo.then(
      ({ url }) => reply.end(url),
      (error) => reply.writeHead(500).end(String(error)),
    );
  });
  demoStarter.listen(0, "127.0.0.1");
  await once(demoStarter, "listening");
  project.provide("demoStarterUrl", `http://127.0.0.1:${(demoStarter.address() as AddressInfo).port}`);
}

export async function teardown(): Promise<void> {
  demoStarter.close();
  await (await demo)?.[Symbol.asyncDispose]();
  await flamekeep[Symbol.asyncDispose]();
}
