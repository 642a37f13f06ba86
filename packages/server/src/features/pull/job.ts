import { randomUUID } from "node:crypto";
import { minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { JobLog, pause, whileListening } from "#store/job-log.ts";
import { type Lease, releaseLease, takeLease } from "#store/row/job-lease.ts";
import { openReach } from "./connect/reach.ts";
import { type Resolver, systemResolver } from "./discovery/dns.ts";
import { findAgainSeconds } from "./discovery/find-instances.ts";
import { Places } from "./places.ts";
import { allEnabledTargets, readOwner, storeStates, targetsVersion } from "./queries.ts";
import type { Intake, Owner } from "./scrape.ts";
import { TargetRun } from "./target-run.ts";

/** How soon a changed target and the states of scrapes are seen. */
const roundMs = 3_000;
/** The same without targets: an idle server does little. */
const idleRoundMs = 10_000;
/** Another process takes over from one that died after this time. */
const leaseMs = 30_000;
/** How soon a changed limit of an organization holds. */
const limitsMs = minuteMs;

/** Lists, names and pages of pods that are read at the same time. */
const findingsMax = 20;

export interface PullOptions {
  readonly resolver?: Resolver;
  readonly lease?: Lease;
}

/** Scrapes all targets while the server listens, in one process at a time. */
export function registerPullJob(app: FastifyInstance, ctx: Context, intake: Intake): void {
  whileListening(app, async (stopped) => {
    const puller = new Puller(ctx, intake);
    const jobLog = new JobLog(ctx.log, "the job that pulls profiles");
    while (!stopped.aborted) {
      try {
        await puller.round();
        jobLog.succeeded();
      } catch (error) {
        if (!stopped.aborted) jobLog.failed(error);
      }
      await pause(puller.isIdle ? idleRoundMs : roundMs, stopped);
    }
    await puller
      .stop()
      .catch((error: unknown) => ctx.log.warn({ err: error }, "lease of the pull job not released"));
  });
}

/** The scrapes of this process: of all targets while it has the lease, else of none. */
export class Puller {
  readonly #ctx: Context;
  readonly #intake: Intake;
  readonly #lease: Lease;
  readonly #resolver: Resolver;
  readonly #places: Places;
  readonly #findPlaces = new Places(findingsMax);
  readonly #runs = new Map<string, TargetRun>();
  readonly #owners = new Map<string, { readonly readAtMs: number; readonly owner: Promise<Owner> }>();
  /** The version of the targets that run; undefined without the lease. */
  #version: string | undefined;
  #leaseEndsMs = 0;
  #leaseEnd: NodeJS.Timeout | undefined;
  readonly #ending = new Set<Promise<void>>();

  constructor(ctx: Context, intake: Intake, options: PullOptions = {}) {
    this.#ctx = ctx;
    this.#intake = intake;
    this.#resolver = options.resolver ?? systemResolver;
    this.#lease = options.lease ?? { name: "pull", holder: randomUUID(), lastsMs: leaseMs };
    this.#places = new Places(ctx.config.pull.simultaneousMax);
    const { metrics } = ctx;
    metrics.gauge("flamekeep_pull_targets", "Targets that this process scrapes.", () => this.#runs.size);
    metrics.gauge("flamekeep_pull_running", "Scrapes that run.", () => this.#places.taken);
    metrics.gauge("flamekeep_pull_waiting", "Scrapes that wait for a place.", () => this.#places.waiting);
  }

  get isIdle(): boolean {
    return this.#runs.size === 0;
  }

  /** Takes or renews the lease, begins and ends scrapes as targets changed, and writes their states. */
  async round(): Promise<void> {
    const { rows } = this.#ctx;
    const version = await targetsVersion(rows);
    if (version === undefined) {
      if (this.#leaseEndsMs > 0) await this.stop();
      return;
    }
    if (!(await this.#hasLease())) {
      this.#endRuns();
      return;
    }
    if (version !== this.#version) await this.#update(version);
    await this.#writeStates();
  }

  /** Ends all scrapes and the lease. */
  async stop(): Promise<void> {
    this.#endRuns();
    await Promise.all(this.#ending);
    this.#keepLeaseUntil(0);
    await releaseLease(this.#ctx.rows, this.#lease);
  }

  /** Renews the lease when a third of its time has passed. */
  async #hasLease(): Promise<boolean> {
    const { rows, now } = this.#ctx;
    const { lastsMs } = this.#lease;
    const askedMs = performance.now();
    if (this.#leaseEndsMs - askedMs > (lastsMs * 2) / 3) return true;
    const isTaken = await takeLease(rows, this.#lease, now());
    this.#keepLeaseUntil(isTaken ? askedMs + lastsMs : 0);
    return isTaken;
  }

  /** The scrapes end with the lease, even while the row store does not answer: another process begins its own. */
  #keepLeaseUntil(endsMs: number): void {
    this.#leaseEndsMs = endsMs;
    clearTimeout(this.#leaseEnd);
    if (endsMs > 0) this.#leaseEnd = setTimeout(() => this.#endRuns(), endsMs - performance.now()).unref();
  }

  async #update(version: string): Promise<void> {
    const ctx = this.#ctx;
    const targets = await allEnabledTargets(ctx.rows);
    // The lease may have ended while the row store was read.
    if (performance.now() >= this.#leaseEndsMs) return;
    const organizations = new Set(targets.map(({ orgId }) => orgId)).size;
    this.#places.organizations = organizations;
    this.#findPlaces.organizations = organizations;
    const byKey = new Map(targets.map((target) => [`${target.id} ${target.changedAt}`, target]));
    const ended = [...this.#runs].filter(([key]) => !byKey.has(key));
    for (const [key, run] of ended) {
      this.#runs.delete(key);
      this.#end(run);
    }
    const pulling = {
      ctx,
      intake: this.#intake,
      places: this.#places,
      findPlaces: this.#findPlaces,
      findAgainSeconds,
      resolver: this.#resolver,
      reach: openReach(ctx.config.pull),
      ownerOf: (orgId: string) => this.#ownerOf(orgId),
      scraped: this.#count,
    };
    for (const [key, target] of byKey) {
      if (this.#runs.has(key)) continue;
      const run = new TargetRun(pulling, target);
      this.#runs.set(key, run);
      run.start();
    }
    this.#version = version;
  }

  async #ownerOf(orgId: string): Promise<Owner> {
    const nowMs = performance.now();
    let known = this.#owners.get(orgId);
    if (known === undefined || nowMs - known.readAtMs > limitsMs) {
      known = { readAtMs: nowMs, owner: readOwner(this.#ctx.rows, orgId) };
      this.#owners.set(orgId, known);
      known.owner.catch(() => this.#owners.delete(orgId));
    }
    return known.owner;
  }

  readonly #count = (
    { profiles, errors }: { readonly profiles: number; readonly errors: readonly object[] },
    ms: number,
  ) => {
    const { metrics } = this.#ctx;
    metrics.count("flamekeep_pull_profiles_total", "Profiles pulled and stored.", {}, profiles);
    metrics.count(
      "flamekeep_pull_failures_total",
      "Profiles that could not be pulled or stored.",
      {},
      errors.length,
    );
    metrics.observe(
      "flamekeep_pull_duration_seconds",
      "Time of the scrapes of a process.",
      ms / 1000,
      {},
      [0.1, 1, 10, 30, 60],
    );
  };

  async #writeStates(): Promise<void> {
    const changed = [...this.#runs.values()].flatMap((run) => {
      const state = run.takeChanged();
      return state === undefined ? [] : [{ run, state }];
    });
    try {
      await storeStates(
        this.#ctx.rows,
        changed.map(({ run: { target }, state }) => ({ orgId: target.orgId, targetId: target.id, state })),
      );
    } catch (error) {
      for (const { run } of changed) run.markChanged();
      throw error;
    }
  }

  #endRuns(): void {
    for (const run of this.#runs.values()) this.#end(run);
    this.#runs.clear();
    this.#version = undefined;
  }

  /** Ends its scrapes at once. A server that stops waits for the uploads of that moment; a round does not. */
  #end(run: TargetRun): void {
    const ending = run.stop();
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
  }
}
