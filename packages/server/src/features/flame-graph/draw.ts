import type { ProfileType } from "@flamekeep/profile";
import type { Context } from "#context";
import { unprocessable } from "#failure";
import { isNamed } from "#http/entity-tag.ts";
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
  /** Another one where the bytes are others. */
  readonly tag: string;
}

/**
 * The flame graph of a profile, without bytes where `known`, an If-None-Match, names their tag. Where its type stands beside its bytes it is not looked
 * up, which would take longer than drawing: bytes are removed before the row is. Throws `not_found` where there is no profile.
 */
export async function drawProfile(ctx: Context, wanted: Wanted, known?: string): Promise<Drawn> {
  const { orgId, profileId } = wanted;
  // What is wrong with what is stored is told to who asks for a profile that there is.
  const stored =
    known === undefined ? await ctx.payloads.read(orgId, profileId).catch(() => undefined) : undefined;
  const early = stored?.type && (await draw(ctx, wanted, stored.type, stored.bytes).catch(() => undefined));
  if (early) return early;
  const row = ctx.profiles.held(orgId, profileId) ?? (await readDrawnProfile(ctx, orgId, profileId));
  if (row.type === "metrics") throw unprocessable(noStacks);
  sampleTypeIndex(row.sample_types, wanted.sampleType);
  const tag = tagOf(wanted, row.content_hash);
  if (isNamed(tag, known)) return { bytes: undefined, tag };
  const payload = stored?.bytes ?? (await readPayload(ctx.payloads, orgId, profileId));
  return draw(ctx, wanted, row.type, payload);
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
