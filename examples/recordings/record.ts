import { recordGo, recordLeaks } from "./record/go-programs.ts";
import { recordSdks } from "./record/sdk-programs.ts";

/** The recorders, by the name given on the command line. */
const parts: Readonly<Record<string, () => Promise<void>>> = {
  "go1.26": () => recordGo("local", "go1.26"),
  "go1.19": () => recordGo("go1.19.13", "go1.19"),
  leaks: () => recordLeaks("go1.26"),
  sdks: recordSdks,
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
for (const name of names) {
  const record = parts[name];
  if (record === undefined) throw new Error(`no part ${name}: ${Object.keys(parts).join(", ")}`);
  await record();
}
