import type { KeyUsageCounts } from "#auth/keys/key-usage.ts";
import { Failure } from "#failure";
import { overheadBytes } from "./admission/budget.ts";
import type { FileResult, SentFile, StoredRequest } from "./endpoints/upload-endpoint.ts";
import type { Intake } from "./intake.ts";
import type { Arrival } from "./threads/arrival.ts";
import type { Outcome } from "./upload/refusal.ts";

/** Stores an upload, and counts what is new for its key. */
export async function takeCounted(
  intake: Intake,
  usage: KeyUsageCounts,
  arrival: Arrival,
): Promise<StoredRequest> {
  const { orgId, keyId } = arrival;
  // The bytes move to another thread.
  const bytes = arrival.body.length;
  const request = await intake.take(arrival);
  const newCount = request.stored.filter(({ isDuplicate }) => !isDuplicate).length;
  if (newCount > 0 && keyId !== undefined) usage.countStored({ orgId, keyId }, newCount, bytes);
  return request;
}

/**
 * Stores the files of a request one after the other, in the order sent, in which snapshots of one process are compared. A refused
 * file has its failure as result. Where the server cannot store, the request fails: those that are stored are recognised when it is
 * sent again.
 */
export async function takeFiles(
  intake: Intake,
  usage: KeyUsageCounts,
  arrival: Arrival,
  files: Outcome<readonly SentFile[]>,
): Promise<readonly FileResult[]> {
  try {
    if (!files.ok) throw intake.refuse(files.refusal);
    const results: FileResult[] = [];
    for (const file of files.value) {
      const result = await takeFile(intake, usage, { arrival, file, isFirst: results.length === 0 });
      results.push(result);
    }
    return results;
  } finally {
    arrival.reservation.release();
  }
}

interface NextFile {
  readonly arrival: Arrival;
  readonly file: SentFile;
  /** The request itself was counted as an upload. */
  readonly isFirst: boolean;
}

async function takeFile(
  intake: Intake,
  usage: KeyUsageCounts,
  { arrival, file: { name, query, body }, isFirst }: NextFile,
): Promise<FileResult> {
  const { orgId, keyId } = arrival;
  try {
    const tooOften = isFirst ? undefined : intake.limits.refuseRate(arrival);
    if (tooOften !== undefined) throw intake.refuse(tooOften);
    // A copy, because the memory of a file moves to a worker, and the others are views into the same.
    const copy = Uint8Array.from(body);
    const reservation = arrival.reservation.another(overheadBytes + copy.length);
    const { stored } = await takeCounted(intake, usage, { ...arrival, query, body: copy, reservation });
    return { name, query, stored };
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    if (keyId !== undefined) usage.countRefused({ orgId, keyId }, error);
    return { name, query, failure: error };
  }
}
