import type { Context } from "#context";
import type { Damage } from "#decoding/open-profile.ts";
import { Failure } from "#failure";
import { type Original, readOriginal } from "#store/payloads/read-payload.ts";

/** A chart of many profiles, or beside another one, is shown without what is damaged; the log names it. */
const message = "a chart is made without a profile whose original bytes are damaged or missing";

export function reportDamage({ log }: Context, { profileId, reason }: Damage): void {
  log.warn({ profileId, reason }, message);
}

/** Undefined where the original bytes cannot be read. */
export async function readWhere(
  ctx: Context,
  orgId: string,
  profileId: string,
): Promise<Original | undefined> {
  try {
    return await readOriginal(ctx.payloads, orgId, profileId);
  } catch (error) {
    if (!(error instanceof Failure && error.code === "damaged")) throw error;
    ctx.log.warn({ err: error.cause, profileId }, message);
    return undefined;
  }
}
