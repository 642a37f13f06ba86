// Records the profiles of the programs in services/. Arguments: ids of the manifest; without any, all.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

interface PlantedProblem {
  readonly rule: string;
  readonly function: string;
  readonly profile: string;
}

/** A program of the manifest, as far as recording needs it. */
interface PlantedProgram {
  readonly id: string;
  /** Requests per second. */
  readonly load: number;
  /** Version of Go, if it is not the installed one. */
  readonly go?: string;
  readonly profiles: readonly string[];
  readonly earlier: readonly string[];
  readonly planted: readonly PlantedProblem[];
}

const folder = fileURLToPath(new URL("./", import.meta.url));
/** Programs are built and run here: a fixed path, because profiles contain it. */
const workplace = "/tmp/services";

/** The columns of `go tool pprof` that count, by file. */
const sampleTypes: Readonly<Record<string, string>> = {
  cpu: "cpu",
  heap: "inuse_space",
  allocs: "alloc_space",
  goroutine: "goroutine",
  mutex: "delay",
  block: "delay",
  wall: "wall",
};

const programs: PlantedProgram[] = JSON.parse(readFileSync(`${folder}manifest.json`, "utf8"));
const wanted = process.argv.slice(2);
const missing = wanted.filter((id) => !programs.some((program) => program.id === id));
if (missing.length > 0) throw new Error(`not in the manifest: ${missing.join(", ")}`);
const chosen = programs.filter(({ id }) => wanted.length === 0 || wanted.includes(id));

for (const [version, programs] of Map.groupBy(chosen, ({ go }) => go))
  build(
    programs.map(({ id }) => `./${id}`),
    version,
  );
for (const program of chosen) {
  record(program);
  for (const problem of program.planted) check(program.id, problem);
}

/** Go fetches a version that is not installed; `older.mod` is a module file that versions from 1.22 on accept. */
function build(packages: readonly string[], version?: string): void {
  mkdirSync(workplace, { recursive: true });
  const older = version === undefined ? [] : ["-modfile=older.mod"];
  const args = ["build", ...older, "-trimpath", "-buildvcs=false", "-o", `${workplace}/`, ...packages];
  execFileSync("go", args, {
    cwd: `${folder}services`,
    env: version === undefined ? process.env : { ...process.env, GOTOOLCHAIN: `go${version}` },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

function record({ id, load, profiles, earlier }: PlantedProgram): void {
  const out = `${folder}recorded/${id}`;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const options = ["-rate", String(load), "-out", out, "-types", profiles.join(",")];
  if (earlier.length > 0) options.push("-earlier", earlier.join(","));
  execFileSync(`${workplace}/${id}`, options, {
    cwd: workplace,
    env: { PATH: process.env.PATH ?? "", HOME: workplace, GOMAXPROCS: "2" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const files = readdirSync(out).map((file) => `${file} ${statSync(`${out}/${file}`).size}`);
  console.info(`${id}: ${files.join(", ")}`);
}

/** Prints the line of the planted function in the table of `go tool pprof`. */
function check(id: string, { rule, function: name, profile }: PlantedProblem): void {
  const type = `-sample_index=${sampleTypes[profile]}`;
  const file = `${folder}recorded/${id}/${profile}.pb.gz`;
  const table = execFileSync("go", ["tool", "pprof", "-top", "-cum", "-nodefraction=0", type, file], {
    encoding: "utf8",
  });
  const lines = table.split("\n");
  const line = lines.find((row) => nameIn(row) === name) ?? `${name} IS NOT IN ${profile}`;
  console.info(`  ${rule} ${line} ${lines.find((row) => row.includes("Total samples")) ?? ""}`);
}

/** The function of a line of the table, without type parameters. */
function nameIn(line: string): string {
  const columns = line.trim().split(/\s+/).slice(5).join(" ");
  return columns.replace(/\[go\.shape\..*\]/, "").replace(/ \(.*inline\)$/, "");
}
