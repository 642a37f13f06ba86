import { setTimeout as sleep } from "node:timers/promises";
import { listProfiles } from "./figures.ts";
import type { Acknowledged } from "./send.ts";
import { type Stage, underLoad } from "./stage.ts";
import { cpuSeries, mixedSeries, type Series } from "./uploads.ts";

const beforeMs = 2500;
const afterMs = 2500;
const retryMs = 200;
const removalMsMax = 60_000;
const settleMsMax = 15_000;
const senders = 3;
/** Uploads of one sender of the service, at most. */
const uploadsMax = 400;
const service = "gateway";
const notFound = 404;

/** The uploads that remain, and how many of the removed service are wrongly there or wrongly gone. */
export interface Left {
  readonly uploads: readonly Acknowledged[];
  readonly wronglyLeft: number;
}

/**
 * Removes a service while uploads of it arrive. Uploads that were acknowledged before must be gone, and those that were sent afterwards must be
 * there; uploads meanwhile may be either.
 */
export async function removeUnderLoad(stage: Stage): Promise<Left> {
  const { period } = stage;
  const removal = { askedAt: 0, answeredAt: 0 };
  const series = cpuSeries(service, period);
  const ofService = Array.from({ length: senders }, (_, sender): Series => {
    return (number) => series(number + sender * uploadsMax);
  });
  const during = async () => {
    await sleep(beforeMs);
    removal.askedAt = performance.now();
    await askForRemoval(stage);
    removal.answeredAt = performance.now();
    await sleep(afterMs);
  };
  await underLoad(stage, during, [...ofService, ...mixedSeries(period)]);
  for (const startedAt = performance.now(); ; await sleep(retryMs)) {
    const left = await leftOf(stage, removal);
    if (left.wronglyLeft === 0 || performance.now() - startedAt > settleMsMax) return left;
  }
}

async function askForRemoval({ cluster, account }: Stage): Promise<void> {
  let mayBeRemoved = false;
  for (const startedAt = performance.now(); ; await sleep(retryMs)) {
    const reply = await fetch(`${cluster.url}/api/v1/protected/services/${service}`, {
      method: "DELETE",
      headers: { ...account.headers, "content-type": "application/json" },
      body: JSON.stringify({ confirm: service }),
    });
    const text = await reply.text();
    if (reply.ok || (mayBeRemoved && reply.status === notFound)) return;
    mayBeRemoved ||= reply.status >= 500;
    const mayTryAgain = reply.status >= 500 || reply.status === notFound;
    if (!mayTryAgain || performance.now() - startedAt > removalMsMax)
      throw new Error(`the removal was answered with ${reply.status}: ${text}`);
  }
}

async function leftOf(
  { cluster, account, acknowledged, period }: Stage,
  { askedAt, answeredAt }: { readonly askedAt: number; readonly answeredAt: number },
): Promise<Left> {
  const listed = await listProfiles({ url: cluster.url, headers: account.headers }, period);
  const ids = new Set(listed.map(({ profile_id }) => profile_id));
  const isOfService = ({ upload }: Acknowledged) => upload.path.includes(`service=${service}&`);
  const wrong = acknowledged.filter((each) => {
    if (!isOfService(each)) return false;
    const isThere = ids.has(each.profileId);
    return isThere ? each.answeredAt < askedAt : each.sentAt > answeredAt;
  });
  const uploads = acknowledged.filter((each) => !isOfService(each) || ids.has(each.profileId));
  return { uploads, wronglyLeft: wrong.length };
}
