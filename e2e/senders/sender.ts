import type { KeyFormat, ProfileType } from "@flamekeep/contract";
import { asRead, codeOf } from "#harness/guide-code.ts";
import type { Workshop } from "#harness/run-code.ts";

/** Where a sender is installed and run. */
export interface Place {
  /** A new folder for the sender alone. */
  readonly shop: Workshop;
  readonly url: string;
  /** The address of gRPC, without a scheme. */
  readonly grpcAddress: string;
  readonly key: string;
  /** Makes one more key, for clients that take only a certain form. */
  readonly makeKey: (format: KeyFormat) => Promise<string>;
}

/** An unmodified client: its newest version is installed from its registry, and runs with a small program. */
export interface Sender {
  /** The package, as its registry names it. */
  readonly name: string;
  /** One line for people: what was run. */
  readonly run: string;
  /** Commands that end with 0 where the sender can be run. */
  readonly needs: readonly (readonly [string, ...string[]])[];
  /** Installs and starts it; resolves with the installed version. Everything that it starts ends with the workshop. */
  start(place: Place): Promise<string>;
  readonly expected: Expected;
}

/** The stored profiles that prove the sender works. */
export interface Expected {
  readonly service: string;
  readonly tags: Readonly<Record<string, string>>;
  /** By type, a function that must be in its flame graph. */
  readonly functions: Readonly<Partial<Record<ProfileType, string>>>;
  /** By type, the exact total of its flame graph; for programs that send known values. */
  readonly totals?: Readonly<Partial<Record<ProfileType, number>>>;
}

export const go = ["go", "version"] as const;
export const python = ["python3", "-m", "venv", "--help"] as const;
export const npm = ["npm", "--version"] as const;
export const maven = ["mvn", "--version"] as const;
export const javac = ["javac", "--version"] as const;

/** A block of the guide for this server, which installs the newest version instead of the one that the guide names. */
export function newest(page: string, at: number, { url, key }: Place): string {
  return asRead(codeOf(page, at), { url, key })
    .replaceAll(/(?<=^(?:go get|npm install) \S+@)v?\d[\d.]*/gm, "latest")
    .replaceAll(/(?<=^pip install \S+)==[\d.]+/gm, "");
}

export async function goVersion(shop: Workshop, module: string): Promise<string> {
  return (await shop.shell(`go list -m -f '{{.Version}}' ${module}`)).trim().replace(/^v/, "");
}

export async function npmVersion(shop: Workshop, name: string): Promise<string> {
  return (await shop.shell(`node -p 'require("./node_modules/${name}/package.json").version'`)).trim();
}

export async function pythonVersion(shop: Workshop, name: string): Promise<string> {
  const program = `import importlib.metadata as m; print(m.version("${name}"))`;
  return (await shop.shell(`venv/bin/python -c '${program}'`)).trim();
}

/** Copies the newest release of a Maven artifact to `NAME.jar`. Resolves with its version. */
export async function fetchJar(shop: Workshop, artifact: string): Promise<string> {
  const name = artifact.split(":")[1]!;
  await shop.shell(`mvn -q dependency:copy -Dartifact=${artifact}:RELEASE -DoutputDirectory=jars`);
  const file = (await shop.shell("ls jars")).trim();
  await shop.shell(`mv jars/* ${name}.jar`);
  return /-(\d[\w.]*)\.jar$/.exec(file)?.[1] ?? file;
}
