import { type OwnLimits, readableLine, type TargetDefinition, type TargetProfile } from "@flamekeep/contract";
import { Failure } from "#failure";
import { type Client, type Got, PullError } from "./connect/client.ts";
import type { Instance } from "./discovery/instance.ts";
import { type ProfilePath, profilePaths } from "./profile-paths.ts";

/** Room for an upload that is fetched. */
interface Room {
  grow(bytes: number): void;
  take(upload: {
    readonly format: "profile";
    readonly query: Readonly<Record<string, string>>;
    readonly body: Uint8Array<ArrayBuffer>;
  }): Promise<unknown>;
  release(): void;
}

/** The organization of a target, with the limits of its uploads. */
export interface Owner {
  readonly orgId: string;
  readonly orgRetentionDays: number | null;
  readonly ownLimits: OwnLimits;
}

/** Stores fetched bytes as uploads of senders, by the same limits. */
export interface Intake {
  admit(owner: Owner): Promise<Room>;
}

export interface Scraping {
  readonly client: Client;
  readonly intake: Intake;
  readonly owner: Owner;
  readonly definition: TargetDefinition;
  readonly bytesMax: number;
  readonly stopped: AbortSignal;
}

/** An outcome of a scrape: what was stored, and what was not. */
export interface Scraped {
  readonly profiles: number;
  readonly errors: readonly { readonly profile: TargetProfile; readonly message: string }[];
}

/** For an answer that the process does not measure for. */
const answerMsMax = 10_000;
/** A longer profile of CPU would keep its place from others. */
const secondsMax = 60;

/** The advice about an answer that is too large. */
export const tooLarge = "Check the address; the operator can raise INGEST_MAX_BYTES.";

/** Profiles of a process that subtracts its answer before: those that have answered once. */
export type Primed = Set<TargetProfile>;

/** Asks a process for each profile: those that take their time side by side, meanwhile the others one after another. */
export async function scrape(scraping: Scraping, instance: Instance, primed: Primed): Promise<Scraped> {
  const names = instance.profiles ?? scraping.definition.profiles;
  const errors: { profile: TargetProfile; message: string }[] = [];
  let profiles = 0;
  const pull = async (profile: TargetProfile): Promise<void> => {
    try {
      if (await pullProfile(scraping, instance, { profile, primed })) profiles++;
    } catch (error) {
      if (scraping.stopped.aborted) return;
      errors.push({ profile, message: messageOf(error) });
    }
  };
  const isTimed = (name: TargetProfile) => profilePaths[name].isTimed === true;
  const inOrder = async () => {
    for (const name of names.filter((each) => !isTimed(each))) await pull(name);
  };
  await Promise.all([...names.filter(isTimed).map(pull), inOrder()]);
  return { profiles, errors };
}

/** Anything but a sentence for people is a fault of this server, which the caller logs. */
function messageOf(error: unknown): string {
  if (error instanceof Failure || error instanceof PullError) return error.message;
  throw error;
}

interface Asked {
  readonly profile: TargetProfile;
  readonly primed: Primed;
}

/** Whether a profile was stored. */
async function pullProfile(
  { client, intake, owner, definition, bytesMax, stopped }: Scraping,
  instance: Instance,
  { profile, primed }: Asked,
): Promise<boolean> {
  const entry = profilePaths[profile];
  const seconds = entry.isTimed ? Math.min(secondsMax, Math.max(1, definition.interval_seconds - 1)) : 0;
  let room: Room | undefined;
  try {
    const got = await client.get(addressOf(instance, definition, entry, seconds), {
      timeoutMs: seconds * 1000 + Math.min(answerMsMax, definition.interval_seconds * 1000),
      bytesMax,
      tooLarge,
      stopped,
      admit: async () => {
        room = await intake.admit(owner);
        return (bytes) => room!.grow(bytes);
      },
    });
    const refusal = refusalOf(got, instance.instance, profile);
    if (refusal !== undefined) throw new PullError(refusal);
    if (entry.isDelta && !primed.has(profile)) {
      primed.add(profile);
      return false;
    }
    const query = {
      service: instance.service,
      ...Object.fromEntries(Object.entries(instance.tags).map(([name, value]) => [`tag.${name}`, value])),
      "tag.instance": instance.instance,
      ...entry.query,
    };
    // The bytes move to another thread.
    const body = Uint8Array.from(got.body);
    await room!.take({ format: "profile", query, body });
    return true;
  } finally {
    room?.release();
  }
}

export function addressOf(
  { origin }: Instance,
  { path_prefix: prefix }: Pick<TargetDefinition, "path_prefix">,
  { path }: ProfilePath,
  seconds: number,
): string {
  return `${origin}${prefix.replace(/\/$/, "")}${path}${seconds === 0 ? "" : `?seconds=${seconds}`}`;
}

/** Why a reply is no profile, and what to do; undefined if it may be one. */
export function refusalOf(got: Got, instance: string, profile: TargetProfile): string | undefined {
  const { status, contentType, location, body } = got;
  const { path, missing, unknown = missing } = profilePaths[profile];
  if (status >= 300 && status < 400)
    return `${instance} redirects ${path} to ${readableLine(location.slice(0, 200)) || "another address"}, which is not followed. Set the target to the address of the process itself.`;
  if (status === 401 || status === 403)
    return `${instance} refuses ${path} (${status}). Check the headers of the target.`;
  const text = body.subarray(0, 200).toString("utf8").trim();
  if (status === 404 && text.includes("Unknown profile"))
    return `${instance} has no ${profile} profile. ${unknown ?? "Leave it out of this target."}`;
  if (status === 404)
    return `${instance} has nothing at ${path} (404). ${missing ?? "Import net/http/pprof in the program and serve its handlers, or set the path prefix."}`;
  if (status === 500 && text.includes("already in use"))
    return `Another program profiles the CPU of ${instance}, and Go allows one at a time. Stop the other one, or leave ${profile} out of this target.`;
  if (status === 400 && text.includes("WriteTimeout"))
    return `${instance} cannot measure for so long: its WriteTimeout is shorter. Raise it, or shorten the interval.`;
  if (status !== 200)
    return `${instance} answered ${status} to ${path}${text === "" ? "" : `: ${readableLine(text.split(/\r?\n/)[0]!)}`}.`;
  if (/^text\/html/i.test(contentType) || /^<(!doctype|html)/i.test(text))
    return `${instance} answered ${path} with a web page, such as a sign-in page. Set the target to the address of the process itself, or add the headers that it asks for.`;
  if (body.length === 0) return `${instance} answered ${path} with nothing. Check the process.`;
  return undefined;
}
