import type { Context } from "#context";
import type { Damage } from "#decoding/open-profile.ts";
import { Failure } from "#failure";
import { type Original, readOriginal, type StoredAs } from "#store/payloads/read-payload.ts";

/** A chart that also needs other profiles is made without the damaged ones; the log names them. */
const message = "a chart is made without a profile whose original bytes are damaged or missing";

export function logDamage({ log }: Context, { profileId, reason }: Damage): void {
  log.warn({ profileId, reason }, message);
}

/** Undefined if the original bytes are damaged. */
export async function readUnlessDamaged(
  ctx: Context,
  orgId: string,
  stored: StoredAs,
): Promise<Original | undefined> {
  try {
    return await readOriginal(ctx.payloads, orgId, stored);
  } catch (error) {
    if (!(error instanceof Failure && error.code === "damaged")) throw error;
    ctx.log.warn({ err: error.cause, profileId: stored.profileId }, message);
    return undefined;
  }
}
