import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

// Reads `examples/planted`: profiles of small services, most of them with a problem that was put there on purpose.

const folder = new URL("../../../../examples/planted/", import.meta.url);

/** A problem that a program has on purpose. */
export interface PlantedProblem {
  /** Id of the rule of the built-in analyser that is about this problem. */
  readonly rule: string;
  /** Ids of rules that describe the same problem as well. */
  readonly orRules?: readonly string[];
  /** The function to change, named as in the profile but without type parameters. */
  readonly function: string;
  /** Others that are as right. */
  readonly orFunctions?: readonly string[];
  /** The profile that shows it: one of the program's `profiles`. */
  readonly profile: PlantedProfile;
  /** Whether the rules missed it when the set was counted for the first time, before any rule was changed. */
  readonly missedAtFirst?: boolean;
}

/** Files without `.pb.gz`, with the sample type that shares refer to. */
export const plantedProfiles = {
  cpu: "cpu",
  heap: "inuse_space",
  allocs: "alloc_space",
  goroutine: "goroutine",
  mutex: "delay",
  block: "delay",
  wall: "wall",
} as const;
export type PlantedProfile = keyof typeof plantedProfiles;

export interface PlantedProgram {
  /** Folder of its sources and of its recorded profiles. */
  readonly id: string;
  /** Rules are tuned on `tuning`; `final` is only counted. */
  readonly set: "tuning" | "final";
  /** Requests per second. */
  readonly load: number;
  /** Version of Go that built it, if it is an older one. */
  readonly go?: string;
  readonly profiles: readonly PlantedProfile[];
  /** Profiles that were stored at the beginning as well, as `heap-earlier`. */
  readonly earlier: readonly PlantedProfile[];
  /** Empty for a program that is merely busy. */
  readonly planted: readonly PlantedProblem[];
}

export function plantedPrograms(): PlantedProgram[] {
  return JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8"));
}

/** Names of the recorded profiles, without `.pb.gz`. */
export function recordedNames(id: string): string[] {
  const files = readdirSync(new URL(`recorded/${id}/`, folder));
  return files.map((file) => file.replace(/\.pb\.gz$/, "")).sort();
}

/** The ids of the folders with sources and with profiles. */
export function plantedFolders(): { readonly services: string[]; readonly recorded: string[] } {
  const names = (path: string) => readdirSync(new URL(path, folder), { withFileTypes: true });
  const folders = (path: string) => names(path).flatMap((one) => (one.isDirectory() ? [one.name] : []));
  return {
    services: folders("services/").filter((name) => name !== "internal"),
    recorded: folders("recorded/"),
  };
}

/** A recorded profile as it was uploaded, gzipped; `name` as in `recordedNames`. */
export function plantedFile(id: string, name: string): Buffer {
  return readFileSync(new URL(`recorded/${id}/${name}.pb.gz`, folder));
}

/** A recorded profile as pprof bytes. */
export function inflatedPlanted(id: string, name: string): Uint8Array {
  return new Uint8Array(gunzipSync(plantedFile(id, name)));
}
