import type { ProfileType } from "@flamekeep/profile";
import type { Context } from "#context";
import { unprocessable } from "#failure";
import { readPayload } from "#store/payloads/read-payload.ts";
import { readDrawnProfile } from "./drawn-profile.ts";
import { sampleTypeIndex } from "./sample-type.ts";

/** A flame graph of one profile, as a caller asks for it. */
export interface Wanted {
  readonly orgId: string;
  readonly profileId: string;
  /** As the caller names it; undefined for the profile's main one. */
  readonly sampleType: string | undefined;
  readonly maxNodes: number;
  readonly form: "columns" | "json";
}

export interface Drawn {
  /** Undefined where the caller has them. */
  readonly bytes: Uint8Array | undefined;
  /** Another one where the bytes are others. */
  readonly tag: string;
}

/**
 * Draws what is stored without looking the profile up, which would take longer than drawing: its type stands beside its
 * bytes, and they are removed before its row is. Undefined where only the row tells what to answer.
 */
export async function drawAsFiled(ctx: Context, wanted: Wanted): Promise<Drawn | undefined> {
  const { orgId, profileId } = wanted;
  // What is wrong with its file is told to who asks for a profile that there is.
  const stored = await ctx.payloads.read(orgId, profileId).catch(() => undefined);
  if (stored?.type === undefined) return undefined;
  try {
    return await draw(ctx, wanted, { type: stored.type, payload: stored.bytes });
  } catch (error) {
    // It has no such sample type.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** As the profile's row says; without bytes where `known` is their tag. Throws `not_found` where there is no profile. */
export async function drawAsListed(ctx: Context, wanted: Wanted, known?: string): Promise<Drawn> {
  const { orgId, profileId } = wanted;
  const row = ctx.profiles.held(orgId, profileId) ?? (await readDrawnProfile(ctx, orgId, profileId));
  if (row.type === "metrics") throw unprocessable(noStacks);
  sampleTypeIndex(row.sample_types, wanted.sampleType);
  const tag = tagOf(wanted, row.content_hash);
  if (known === tag) return { bytes: undefined, tag };
  return draw(ctx, wanted, { type: row.type, payload: await readPayload(ctx.payloads, orgId, profileId) });
}

async function draw(
  ctx: Context,
  wanted: Wanted,
  stored: { readonly type: ProfileType; readonly payload: Uint8Array },
): Promise<Drawn> {
  const { profileId, sampleType, form, maxNodes } = wanted;
  const task = { profileId, sampleType, form, maxNodes, ...stored };
  const { bytes, contentHash } = await ctx.decoders.drawFlameGraph(task);
  return { bytes, tag: tagOf(wanted, contentHash) };
}

function tagOf({ sampleType = "", form, maxNodes }: Wanted, contentHash: string): string {
  return `"${contentHash.slice(0, 32)}-${form}-${encodeURIComponent(sampleType)}-${maxNodes}"`;
}

const noStacks = "A batch of HTTP metrics has no stacks, so it has no flame graph";
