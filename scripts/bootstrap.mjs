// The first thing that runs on a machine that never saw the project: `start | build | package | release | doctor | backup | restore | export | import | move | plan-cluster | restore-quarantine | rebuild-columns | recount | dev | test | verify | bench`.
// Node 18 built-ins only; everything after the set-up runs on Node 24 or newer.
import process from "node:process";

const major = Number(process.versions.node.split(".")[0]);
if (major < 18) {
  process.stderr.write(
    `Flamekeep needs Node 18 or newer to set itself up; this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}

const { runCommand } = await import("./bootstrap/commands.mjs");
process.exitCode = await runCommand(process.argv[2], process.argv.slice(3));
