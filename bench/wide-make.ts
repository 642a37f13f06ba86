// In a separate process, as in million-make.ts. The set comes as JSON on standard input.
import { readFileSync } from "node:fs";
import process from "node:process";
import { makeWideSet, type WideSet } from "./million/data-set.ts";

const [dataDir = ""] = process.argv.slice(2);
const set = JSON.parse(readFileSync(0, "utf8")) as Omit<WideSet, "hours"> & { hours: string[] };
makeWideSet(dataDir, { ...set, hours: set.hours.map((hour) => new Date(hour)) });
