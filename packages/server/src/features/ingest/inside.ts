import { rateLimited } from "#failure";
import type { Arrival, Intake } from "./intake.ts";

/** An upload the server makes itself. */
export type InsideUpload = Omit<
  Arrival,
  "contentType" | "contentEncoding" | "ownRetentionDays" | "reservation"
>;

/** Takes an upload the way those from outside go, within the same budget; resolves when it is on disk. */
export async function takeInside(intake: Intake, upload: InsideUpload): Promise<void> {
  const reservation = intake.budget.reserve(upload.orgId, upload.body.length);
  if (reservation === undefined) throw rateLimited("The queue of uploads is full.", 1);
  // The memory moves to a worker, and a small buffer shares its own with others.
  const body = Uint8Array.from(upload.body);
  const said = { contentType: undefined, contentEncoding: undefined, ownRetentionDays: null };
  await intake.take({ ...upload, ...said, body, reservation });
}
