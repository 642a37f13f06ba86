import { limits, type TargetInstance } from "@flamekeep/contract";
import type { Context } from "#context";
import { pause } from "#store/job-log.ts";
import { Client, PullError } from "./connect/client.ts";
import type { Reach } from "./connect/reach.ts";
import type { Resolver } from "./discovery/dns.ts";
import { type findAgainSeconds, findInstances } from "./discovery/find-instances.ts";
import type { Instance } from "./discovery/instance.ts";
import type { Places } from "./places.ts";
import type { StoredTarget, TargetState } from "./queries.ts";
import { nextTurnMs, offsetMs, turnAfterMs } from "./schedule.ts";
import { type Intake, type Owner, type Primed, type Scraped, scrape } from "./scrape.ts";
import { openHeaders } from "./secret-headers.ts";

/** The parts that the scrapes of all targets share. */
export interface Pulling {
  readonly ctx: Context;
  readonly intake: Intake;
  readonly places: Places;
  /** Places of look-ups of processes. */
  readonly findPlaces: Places;
  /** How long until the processes of a target are looked up again, by its kind of source. */
  readonly findAgainSeconds: typeof findAgainSeconds;
  readonly resolver: Resolver;
  readonly reach: Reach;
  /** The owner with the limits that hold now. */
  readonly ownerOf: (orgId: string) => Promise<Owner>;
  readonly scraped: (outcome: Scraped, ms: number) => void;
}

interface InstanceRun {
  instance: Instance;
  readonly stop: AbortController;
  readonly primed: Primed;
  state: TargetInstance;
}

/** Scrapes the processes of one target until it is stopped. */
export class TargetRun {
  readonly target: StoredTarget;
  readonly #pulling: Pulling;
  readonly #stop = new AbortController();
  readonly #runs = new Map<string, InstanceRun>();
  readonly #running = new Set<Promise<void>>();
  #client: Client | undefined;
  #discoveryError: string | null = null;
  /** Whether the state changed since it was last written. */
  #isChanged = true;

  constructor(pulling: Pulling, target: StoredTarget) {
    this.target = target;
    this.#pulling = pulling;
  }

  start(): void {
    const { ctx } = this.#pulling;
    const headers = openHeaders(ctx.seal, this.target);
    if (!headers.ok) {
      this.#discoveryError = headers.message;
      return;
    }
    const { tls } = this.target.definition;
    this.#client = new Client({ reach: this.#pulling.reach, headers: headers.values, tls });
    this.#keep(this.#findAgain(this.#client));
  }

  /** Ends the scrapes of this target. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (const { stop } of this.#runs.values()) stop.abort();
    await Promise.all(this.#running);
    this.#client?.close();
  }

  /** Undefined if it has not changed since the last call. */
  takeChanged(): TargetState | undefined {
    if (!this.#isChanged) return undefined;
    this.#isChanged = false;
    const states = [...this.#runs.values()].map(({ state }) => state);
    const failing = states.filter(({ error }) => error !== null);
    const others = states.filter(({ error }) => error === null);
    return {
      instances: [...failing, ...others].slice(0, limits.targetInstancesListed),
      instanceCount: states.length,
      failing: failing.length,
      discoveryError: this.#discoveryError,
    };
  }

  /** The state that was taken last could not be written. */
  markChanged(): void {
    this.#isChanged = true;
  }

  #keep(running: Promise<void>): void {
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  /** Looks processes up until the target is stopped. Those found before are kept while that fails. */
  async #findAgain(client: Client): Promise<void> {
    const { findPlaces } = this.#pulling;
    const { definition, orgId } = this.target;
    const stopped = this.#stop.signal;
    const everySeconds = this.#pulling.findAgainSeconds[definition.source.kind];
    const find = () => this.#find(client);
    while (!stopped.aborted) {
      // A URL needs no look-up, and does not wait for those of others.
      if (definition.source.kind === "url") await find();
      else await findPlaces.use(orgId, stopped, find);
      if (stopped.aborted) return;
      this.#isChanged = true;
      if (!Number.isFinite(everySeconds)) return;
      await pause(everySeconds * 1000, stopped);
    }
  }

  async #find(client: Client): Promise<void> {
    const { ctx, resolver, reach } = this.#pulling;
    const stopped = this.#stop.signal;
    try {
      const { config } = ctx;
      const finding = { client, resolver, reach, config: config.pull, stopped };
      const { instances, problem } = await findInstances(this.target.definition, finding);
      if (stopped.aborted) return;
      this.#discoveryError = problem;
      this.#scrapeOnly(instances, client);
    } catch (error) {
      if (stopped.aborted) return;
      if (!(error instanceof PullError)) this.#logFault(error);
      this.#discoveryError = error instanceof PullError ? error.message : faultText;
    }
  }

  #scrapeOnly(found: readonly Instance[], client: Client): void {
    const origins = new Set(found.map(({ origin }) => origin));
    for (const [origin, { stop }] of this.#runs) {
      if (origins.has(origin)) continue;
      stop.abort();
      this.#runs.delete(origin);
    }
    for (const instance of found) {
      const running = this.#runs.get(instance.origin);
      if (running === undefined) this.#begin(instance, client);
      else {
        const { instance: place, service } = instance;
        running.instance = instance;
        running.state = { ...running.state, instance: place, service };
      }
    }
  }

  #begin(instance: Instance, client: Client): void {
    const state: TargetInstance = {
      instance: instance.instance,
      service: instance.service,
      last_scrape_at: null,
      duration_ms: null,
      profiles: 0,
      error: null,
      next_scrape_at: null,
    };
    const run: InstanceRun = { instance, stop: new AbortController(), primed: new Set(), state };
    this.#runs.set(instance.origin, run);
    this.#keep(this.#takeTurns(run, client));
  }

  async #takeTurns(run: InstanceRun, client: Client): Promise<void> {
    const { ctx, places } = this.#pulling;
    const { orgId, id, definition } = this.target;
    const intervalMs = definition.interval_seconds * 1000;
    const offset = offsetMs(`${orgId} ${id} ${run.instance.origin}`, intervalMs);
    const { signal } = run.stop;
    let turnMs = nextTurnMs(ctx.now().getTime(), offset, intervalMs);
    while (!signal.aborted) {
      run.state = { ...run.state, next_scrape_at: new Date(turnMs).toISOString() };
      this.#isChanged = true;
      await pause(Math.max(0, turnMs - ctx.now().getTime()), signal);
      if (signal.aborted) return;
      await places.use(orgId, signal, () => this.#turn(run, client));
      turnMs = turnAfterMs(turnMs, ctx.now().getTime(), intervalMs);
    }
  }

  async #turn(run: InstanceRun, client: Client): Promise<void> {
    const { ctx, intake, ownerOf, scraped } = this.#pulling;
    const { definition, orgId } = this.target;
    const stopped = run.stop.signal;
    const startedAt = ctx.now().toISOString();
    const startedMs = performance.now();
    let outcome: Scraped = { profiles: 0, errors: [] };
    let fault: string | null = null;
    try {
      const owner = await ownerOf(orgId);
      const bytesMax = ctx.config.ingest.maxBytes;
      outcome = await scrape(
        { client, intake, owner, definition, bytesMax, stopped },
        run.instance,
        run.primed,
      );
    } catch (error) {
      if (stopped.aborted) return;
      this.#logFault(error);
      fault = faultText;
    }
    if (stopped.aborted) return;
    const ms = Math.round(performance.now() - startedMs);
    scraped(outcome, ms);
    const error = fault ?? errorText(outcome);
    const { profiles } = outcome;
    run.state = { ...run.state, last_scrape_at: startedAt, duration_ms: ms, profiles, error };
    this.#isChanged = true;
  }

  #logFault(error: unknown): void {
    const { orgId, id } = this.target;
    this.#pulling.ctx.log.warn({ err: error, orgId, targetId: id }, "scrape failed");
  }
}

const faultText = "The server failed to scrape it, and tries again. Its log has the cause.";

/** One sentence where all profiles failed for the same reason, else each with its profile. */
function errorText({ errors }: Scraped): string | null {
  if (errors.length === 0) return null;
  const messages = [...Map.groupBy(errors, ({ message }) => message)];
  if (messages.length === 1) return messages[0]![0];
  return messages
    .map(([message, those]) => `${those.map(({ profile }) => profile).join(", ")}: ${message}`)
    .join(" ");
}
