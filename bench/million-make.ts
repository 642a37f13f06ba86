// In a separate process: the engine's memory for making a data set must not count as the server's.
import process from "node:process";
import { makeDataSet } from "./million/data-set.ts";
import { storedIn } from "./stored.ts";

const [dataDir = "", profiles = "", orgId = "", templateOrgId = "", at = ""] = process.argv.slice(2);
makeDataSet(dataDir, { profiles: Number(profiles), orgId, templateOrgId, at: new Date(at) });
process.stdout.write(JSON.stringify(storedIn(dataDir)));
