import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "@flamekeep/e2e/sign-up";
import type { Random } from "#random";
import type { Cluster } from "./cluster.ts";
import { type Acknowledged, sendUntilAcknowledged } from "./send.ts";
import { mixedSeries, type Period, type Series, type Upload } from "./uploads.ts";

const betweenUploadsMs = 60;

/** Servers that are sent uploads, and whose figures are compared. */
export interface Served {
  /** Where uploads are sent: a balancer. */
  readonly url: string;
  readonly members: readonly { readonly url: string }[];
  /** The column store that they share. */
  readonly endpoint: { readonly url: string };
}

/** A cluster, and a new organization whose uploads a scenario sends. */
export interface Stage<C extends Served = Cluster> {
  readonly cluster: C;
  readonly account: Account;
  readonly orgId: string;
  readonly period: Period;
  readonly random: Random;
  /** Everything that was acknowledged, in this order. */
  readonly acknowledged: Acknowledged[];
}

/** Sends it until it is acknowledged, by default through the balancer. */
export async function send(
  { cluster, account, acknowledged }: Stage<Served>,
  upload: Upload,
  url = cluster.url,
): Promise<Acknowledged> {
  const done = await sendUntilAcknowledged(upload, url, account.key);
  acknowledged.push(done);
  return done;
}

/** A load until `during` is over. Each series sends its next upload when the last one was acknowledged. */
export async function underLoad(
  stage: Stage<Served>,
  during: () => Promise<void>,
  series: readonly Series[] = mixedSeries(stage.period),
  betweenMs = betweenUploadsMs,
): Promise<void> {
  const over = new AbortController();
  const sending = Promise.all(
    series.map(async (upload) => {
      for (let number = 0; !over.signal.aborted; number++) {
        await send(stage, upload(number));
        await sleep(betweenMs);
      }
    }),
  );
  try {
    await Promise.race([during(), sending]);
  } finally {
    over.abort();
  }
  await sending;
}
