import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { defaultLimits, type Profile, readProfile } from "@flamekeep/profile";
import { corpus } from "@flamekeep/profile/testing/corpus";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Recorded profiles of small and large programs: the same on every machine. */
const recordings = ["go1.26", "go1.19", "sdk"].map((name) => `${root}examples/recordings/${name}`);
const collection = fileURLToPath(new URL("open", corpus));
/** Prefix of the collection's edge cases: nobody sends a sample with 10,000 labels as load. */
const handBuilt = "derived+";

export interface RealProfile {
  readonly name: string;
  /** As sent: gzip. */
  readonly body: Buffer;
  readonly raw: Uint8Array;
  readonly profile: Profile;
}

/** Every gzipped profile that can be read: the recordings, and the collection if it is present. */
export function realProfiles(): RealProfile[] {
  const folders = existsSync(collection) ? [...recordings, collection] : recordings;
  return folders.flatMap(profilesIn);
}

/**
 * The recorded CPU profiles whose uploads are nearest to 70 KB, about what a busy Go service sends in ten seconds. Never from
 * the collection, so that every machine sends the same.
 */
export function typicalCpuProfiles(count: number): RealProfile[] {
  return cpuProfilesNear(70_000, count);
}

/** The recorded CPU profiles whose uploads are nearest to this size, the nearest first. */
export function cpuProfilesNear(bytes: number, count: number): RealProfile[] {
  const distance = ({ body }: RealProfile) => Math.abs(body.length - bytes);
  return [...recordings, `${root}examples/shop/recorded`]
    .flatMap(profilesIn)
    .filter(({ profile }) => profile.sampleTypes.some(({ type }) => type === "cpu"))
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, count);
}

function profilesIn(folder: string): RealProfile[] {
  const profiles = globSync("**/*", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith(handBuilt))
    .flatMap((entry) => read(`${entry.parentPath}/${entry.name}`, entry.name));
  if (profiles.length === 0) throw new Error(`no profiles in ${folder}`);
  return profiles;
}

function read(path: string, name: string): RealProfile[] {
  const body = readFileSync(path);
  if (body[0] !== 0x1f || body[1] !== 0x8b) return [];
  const raw = inflated(body);
  const result = raw && readProfile(raw, defaultLimits);
  return raw && result?.ok ? [{ name, body, raw, profile: result.profile }] : [];
}

/** Undefined where the file is one of the damaged ones, or unpacks to more than a server takes. */
function inflated(body: Buffer): Uint8Array | undefined {
  try {
    return gunzipSync(body, { maxOutputLength: 64 * 1024 * 1024 });
  } catch {
    return undefined;
  }
}
