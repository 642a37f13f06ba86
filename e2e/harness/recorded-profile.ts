import type { Page } from "playwright-core";
import { type FlameFrame, framesOf } from "./flame-frames.ts";
import { sendProfile } from "./send.ts";
import type { UsedFlamekeep } from "./use-flamekeep.ts";

interface SentProfile {
  readonly page: Page;
  readonly errors: readonly string[];
  /** The address of the profile page. */
  readonly path: string;
  readonly frames: FlameFrame[];
}

/** Sends a CPU profile for a person who is signed in. */
export async function openSentProfile(flamekeep: UsedFlamekeep, recording: Buffer): Promise<SentProfile> {
  const { page, errors, account } = await flamekeep.openSignedIn();
  const query = `service=checkout&type=cpu&started_at=${Date.now()}`;
  const { body } = await sendProfile(flamekeep.url, account.key, query, recording);
  const profileId = String(body.profile_id);
  await page.goto("/profiles?view=profiles");
  return { page, errors, path: `/profile/${profileId}`, frames: await framesOf(page, profileId) };
}
