import { setTimeout as sleep } from "node:timers/promises";
import { minuteMs } from "@flamekeep/contract/durations";
import type { Random } from "#random";
import { listProfiles } from "./figures.ts";
import type { Member } from "./member.ts";
import { type Left, removeUnderLoad } from "./remove-service.ts";
import { type Stage, send, underLoad } from "./stage.ts";
import { hasCounters, mixedSeries, recordedSnapshots } from "./uploads.ts";

/** Uploads of each of eight series: 600 in all. */
const everywhereUploads = 75;
const hangMs = 20_000;
const awayMs = 8000;
const settleMs = 2000;
const longAwayMs = 2 * minuteMs;
/** Nine series then send about 50 uploads a second. */
const betweenUploadsMs = 150;

/** Sends uploads while something happens to the cluster. Returns what must be left of them where that is not everything. */
export type Scenario = (stage: Stage) => Promise<Left | void>;

export const scenarios: Readonly<Record<string, Scenario>> = {
  "alternating snapshots": alternatingSnapshots,
  "the same upload everywhere": (stage) => everywhere(stage, everywhereUploads),
  "a service removed under load": removeUnderLoad,

  "members killed": (stage) =>
    underLoad(stage, async () => {
      for (const member of inRandomOrder(stage.cluster.members, stage.random))
        await killAndStart(member, stage);
    }),

  "the column store killed": (stage) =>
    underLoad(stage, async () => {
      for (let kill = 0; kill < 3; kill++) {
        await sleep(stage.random.between(500, settleMs));
        stage.cluster.clickHouse.kill();
      }
      await sleep(settleMs);
    }),

  "the column store away": (stage) =>
    underLoad(stage, async () => {
      await sleep(settleMs);
      await stage.cluster.endpoint.away();
      await sleep(awayMs);
      await stage.cluster.endpoint.back();
      await sleep(settleMs);
    }),

  "PostgreSQL restarted": (stage) =>
    underLoad(stage, async () => {
      for (let restart = 0; restart < 2; restart++) {
        await sleep(settleMs);
        await stage.cluster.postgres.restart();
      }
      await sleep(settleMs);
    }),

  "a rolling restart": (stage) =>
    underLoad(stage, async () => {
      for (const member of stage.cluster.members) {
        await sleep(settleMs);
        await member.stop();
        await member.start();
      }
    }),

  "a member that hangs": (stage) =>
    underLoad(stage, async () => {
      const member = anyOf(stage);
      await sleep(settleMs);
      member.hang();
      await sleep(hangMs);
      member.goOn();
      await sleep(settleMs);
    }),

  "a member killed with unsaved uploads": async (stage) => {
    const { cluster, period } = stage;
    const member = anyOf(stage);
    await cluster.endpoint.away();
    for (const series of mixedSeries(period)) {
      for (let number = 0; number < 5; number++) await send(stage, series(number), member.url);
    }
    await member.kill();
    await cluster.endpoint.back();
    const later = mixedSeries(period).map((series) => (number: number) => series(number + 5));
    // Snapshots that the log of the member alone has come first: docs/operate/cluster.md has this limit.
    const withoutCounters = later.filter((series) => !hasCounters(series(0)));
    await underLoad(stage, () => sleep(awayMs), withoutCounters);
    await member.start();
    // A read has what the logs of all members have.
    await listProfiles({ url: member.url, headers: stage.account.headers }, period);
    await underLoad(
      stage,
      () => sleep(settleMs),
      later.filter((series) => hasCounters(series(0))),
    );
  },

  "a member that joins and leaves": (stage) =>
    underLoad(stage, async () => {
      await sleep(settleMs);
      const member = await stage.cluster.addMember();
      await member.start();
      await sleep(settleMs);
      await member.stop();
      stage.cluster.removeMember(member);
    }),
};

/** For one server, whose log has the uploads of all services. */
export const scenariosOfOne: Readonly<Record<string, Scenario>> = {
  "the column store away for two minutes": (stage) => {
    const { endpoint } = stage.cluster;
    return withoutStore(
      stage,
      () => endpoint.away(),
      () => endpoint.back(),
    );
  },

  "the column store frozen for two minutes": (stage) => {
    const { endpoint } = stage.cluster;
    return withoutStore(
      stage,
      () => endpoint.hang(),
      () => endpoint.goOn(),
    );
  },
};

/** All uploads of these minutes have to be acknowledged at their first try. */
async function withoutStore(
  stage: Stage,
  end: () => Promise<void> | void,
  begin: () => Promise<void> | void,
): Promise<void> {
  const during = async () => {
    await sleep(settleMs);
    await end();
    await sleep(longAwayMs);
    await begin();
    await sleep(settleMs);
  };
  await underLoad(stage, during, mixedSeries(stage.period), betweenUploadsMs);
}

/** Growing counters of one process, each snapshot at the next member. */
export async function alternatingSnapshots(stage: Stage): Promise<void> {
  const { members } = stage.cluster;
  for (const type of ["memory", "mutex", "block"] as const) {
    for (const [number, upload] of recordedSnapshots("catalog", type, stage.period).entries())
      await send(stage, upload, members[number % members.length]!.url);
  }
}

/** Each upload at all members at the same moment, as proxies and senders do that try again. */
export async function everywhere(stage: Stage, uploadsOfSeries: number): Promise<void> {
  for (let number = 0; number < uploadsOfSeries; number++) {
    for (const series of mixedSeries(stage.period)) {
      const upload = series(number);
      await Promise.all(stage.cluster.members.map(({ url }) => send(stage, upload, url)));
    }
  }
}

export async function killAndStart(member: Member, { random }: Stage): Promise<void> {
  await sleep(random.between(settleMs / 4, settleMs));
  await member.kill();
  await sleep(random.between(0, settleMs));
  await member.start();
}

function anyOf({ cluster, random }: Stage): Member {
  return cluster.members[Math.floor(random.between(0, cluster.members.length))]!;
}

function inRandomOrder(members: readonly Member[], random: Random): readonly Member[] {
  return members
    .map((member) => ({ member, place: random.between(0, 1) }))
    .sort((a, b) => a.place - b.place)
    .map(({ member }) => member);
}
