import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { defaultLimits, type Profile, readProfile } from "@flamekeep/profile";

const root = fileURLToPath(new URL("..", import.meta.url));
const recordings = `${root}examples/shop/recorded`;
/** A collection of other programs' profiles may stand beside the checkout. */
const collection = `${root}../shared/corpus/open`;
/** What the names of its edge cases begin with: one sample with 10,000 labels is no load anybody sends. */
const handBuilt = "derived+";

export interface RealProfile {
  readonly name: string;
  /** As sent: gzip. */
  readonly body: Buffer;
  readonly raw: Uint8Array;
  readonly profile: Profile;
}

/** Every gzipped profile of a real program that can be read: of the collection where it stands, else our own recordings. */
export function realProfiles(): RealProfile[] {
  const folder = existsSync(collection) ? collection : recordings;
  const profiles = globSync("**/*", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith(handBuilt))
    .flatMap((entry) => read(`${entry.parentPath}/${entry.name}`, entry.name));
  if (profiles.length === 0) throw new Error(`no profiles in ${folder}`);
  return profiles;
}

/** The CPU profiles whose uploads are nearest to 70 KB, about what a busy Go service sends in ten seconds. */
export function typicalCpuProfiles(count: number): RealProfile[] {
  const distance = ({ body }: RealProfile) => Math.abs(body.length - 70_000);
  const nearest = realProfiles()
    .filter(({ profile }) => profile.sampleTypes.some(({ type }) => type === "cpu"))
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, count);
  if (nearest.length === 0) throw new Error("no CPU profile among the real profiles");
  return nearest;
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
