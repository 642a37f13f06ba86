import type { ProfileType } from "@flamekeep/profile";
import type { Context } from "#context";
import { Failure, unprocessable } from "#failure";
import { isNamed } from "#http/reply/negotiation.ts";
import { readPayload } from "#store/payloads/read-payload.ts";
import { readDrawnProfile } from "./drawn-profile.ts";
import type { Form } from "./form.ts";
import { sampleTypeIndex } from "./sample-type.ts";

/** A flame graph of one profile, as a caller asks for it. */
export interface Wanted {
  readonly orgId: string;
  readonly profileId: string;
  /** As the caller names it; undefined for the profile's main one. */
  readonly sampleType: string | undefined;
  readonly maxNodes: number;
  readonly form: Form;
}

export interface Drawn {
  /** Undefined where the caller has them. */
  readonly bytes: Uint8Array | undefined;
  /** Changes with the bytes. */
  readonly tag: string;
}

/**
 * The flame graph of a profile, without bytes where `ifNoneMatch` names their tag. Throws `not_found` for an unknown profile.
 *
 * Draws before it looks the profile up where the payload store knows the profile's type, because the query takes longer than
 * drawing. That is safe: payloads are removed before their rows are.
 */
export async function drawProfile(ctx: Context, wanted: Wanted, ifNoneMatch?: string): Promise<Drawn> {
  const { orgId, profileId } = wanted;
  const early = ifNoneMatch === undefined ? await drawEarly(ctx, wanted) : undefined;
  if (early?.drawn !== undefined) return early.drawn;
  const row = ctx.profiles.cached(orgId, profileId) ?? (await readDrawnProfile(ctx, orgId, profileId));
  if (row.type === "metrics") throw unprocessable(noStacks);
  sampleTypeIndex(row.sample_types, wanted.sampleType);
  const tag = tagOf(wanted, row.content_hash);
  if (isNamed(tag, ifNoneMatch)) return { bytes: undefined, tag };
  if (early?.failure !== undefined) throw early.failure;
  const payload = early?.payload ?? (await readPayload(ctx.payloads, orgId, profileId));
  return draw(ctx, wanted, row.type, payload);
}

interface Early {
  readonly drawn?: Drawn;
  readonly payload?: Uint8Array;
  /** To throw once the row proves that the profile exists and has the sample type. */
  readonly failure?: Error;
}

async function drawEarly(ctx: Context, wanted: Wanted): Promise<Early> {
  try {
    const stored = await ctx.payloads.read(wanted.orgId, wanted.profileId);
    if (stored === undefined) return {};
    if (stored.type === undefined) return { payload: stored.bytes };
    return { drawn: await draw(ctx, wanted, stored.type, stored.bytes) };
  } catch (error) {
    if (isAboutThisProfile(error)) return { failure: error };
    throw error;
  }
}

/** Whether the payload cannot be read, or has no such sample type, which drawing reports as a RangeError. */
function isAboutThisProfile(error: unknown): error is Error {
  if (error instanceof Failure) return error.code === "damaged" || error.code === "unavailable";
  return error instanceof RangeError;
}

async function draw(ctx: Context, wanted: Wanted, type: ProfileType, payload: Uint8Array): Promise<Drawn> {
  const { profileId, sampleType, form, maxNodes } = wanted;
  const task = { profileId, type, payload, sampleType, form, maxNodes };
  const { bytes, contentHash } = await ctx.decoders.drawFlameGraph(task);
  return { bytes, tag: tagOf(wanted, contentHash) };
}

function tagOf({ sampleType = "", form, maxNodes }: Wanted, contentHash: string): string {
  return `"${contentHash.slice(0, 32)}-${form}-${encodeURIComponent(sampleType)}-${maxNodes}"`;
}

const noStacks = "A batch of HTTP metrics has no stacks, so it has no flame graph";
