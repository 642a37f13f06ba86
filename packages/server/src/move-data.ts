// `npm run export`, `npm run import` and `npm run move`: an organization as files, and an installation in other stores.
import { existsSync, readdirSync, statSync } from "node:fs";
import { setPriority } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { readConfig, readTargetConfig } from "#config";
import { exportOrganization } from "#move/export-organization.ts";
import { summaryOf } from "#move/figures.ts";
import { checkExport, importOrganization } from "#move/import-organization.ts";
import { type MovedOrganization, moveInstallation, prepareTarget } from "#move/move-installation.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { noteMove } from "#store/unfinished-move.ts";
import { refuseOtherFolder, secretFile, secretIn } from "./backup/hold-stores.ts";
import { openLog } from "./open-log.ts";
import { runCommand } from "./operator-command.ts";
import { openPresent, openSettled } from "./settled-context.ts";

/** The server's requests come first. */
const priority = 10;

await runCommand({
  export: {
    usage: `Usage: npm run export -- ORGANIZATION FOLDER

Writes everything of an organization, named by its id or name, into a new folder, while the server runs. The command needs the
server's settings: set DATA_DIR to the server's data folder. docs/operate/move.md describes the files.`,
    count: [2, 2],
    async run([organization = "", folder = ""]) {
      const to = resolve(folder);
      if (existsSync(to) && (!statSync(to).isDirectory() || readdirSync(to).length > 0))
        throw new StoreRefused(`${to} is not empty: name a folder that does not exist yet.`);
      setPriority(priority);
      const begunAt = new Date();
      const config = readConfig();
      await using ctx = await openPresent(config, await copyLogOf(config));
      const options = { stores: ctx, version: ctx.version, organization, to, begunAt, progress: print };
      const { figures, withoutOriginal } = await exportOrganization(options);
      print(`${to} has ${organization}:`);
      for (const line of summaryOf(figures)) print(line);
      noteMissing(withoutOriginal);
    },
  },
  import: {
    usage: `Usage: npm run import -- FOLDER
       npm run import -- --check FOLDER

Checks an export and brings its organization into this installation, with the same id. With the built-in stores, stop the server
first. An interrupted import goes on where it was. --check only checks.`,
    count: [1, 1],
    options: { check: { type: "boolean" } },
    async run([folder = ""], { check: isCheck }) {
      const from = resolve(folder);
      const manifest = await checkExport(from);
      const { organization, begunAt, figures } = manifest;
      if (isCheck) {
        print(`${from} is complete: ${organization.name}, of ${begunAt}.`);
        for (const line of summaryOf(figures)) print(line);
        return;
      }
      const config = readConfig();
      await using ctx = await openSettled(config, await logOf(config));
      await importOrganization(from, manifest, ctx, print);
      print(`${organization.name} is imported. Counts and totals are those of the export:`);
      for (const line of summaryOf(figures)) print(line);
      print("People whom this installation did not know set a password with 'Forgot password'.");
    },
  },
  move: {
    usage: `Usage: npm run move

Copies the installation of these settings into the stores of TO_DATA_DIR, TO_CLICKHOUSE_URL and TO_DATABASE_URL (without the last
two: built-in stores in TO_DATA_DIR), while the server runs. Stop the server and run it again: it then copies what came
meanwhile. Start the server with the new settings.`,
    count: [0, 0],
    async run() {
      setPriority(priority);
      const config = readConfig();
      refuseOtherFolder(config);
      const secret = config.authSecret ?? (await secretIn(config.dataDir));
      const to = readTargetConfig(secret);
      const isContinued = await prepareTarget(config, to, secret);
      await using source = await openPresent(config, await copyLogOf(config));
      await using target = await openSettled(to, await logOf(config));
      const moved = await moveInstallation(source, target, isContinued, print);
      for (const organization of moved) describe(organization);
      if (moved.some(({ differences }) => differences.length > 0))
        throw new StoreRefused(
          "Counts or totals differ. Run the command again; if they still differ, begin again with empty stores.",
        );
      await noteMove(to.dataDir, "complete");
      print(
        `Everything is in the stores of ${to.dataDir}, with the same counts and totals. Later uploads and changes are not: stop the server, run the command again, and start the server with DATA_DIR=${to.dataDir}, AUTH_SECRET_FILE=${join(to.dataDir, secretFile)} and the databases that were named here.`,
      );
    },
  },
});

function logOf(config: Parameters<typeof openLog>[0]) {
  return openLog(config, process.stderr.isTTY);
}

/** The copy of a server's stores is opened as after a crash: its usual messages are no news about the server. */
function copyLogOf(config: Parameters<typeof openLog>[0]) {
  return logOf({ ...config, logLevel: config.logLevel === "info" ? "warn" : config.logLevel });
}

function describe({
  name: organization,
  figures,
  added,
  withoutOriginal,
  differences,
}: MovedOrganization): void {
  print(`${organization}: ${added} profiles were new.`);
  for (const line of summaryOf(figures)) print(line);
  for (const line of differences) print(`  DIFFERENT: ${line}`);
  noteMissing(withoutOriginal);
}

function noteMissing(withoutOriginal: number): void {
  if (withoutOriginal > 0)
    print(`${withoutOriginal} profiles have no original bytes there: their figures and stacks are complete.`);
}

function print(line: string): void {
  console.log(line);
}
