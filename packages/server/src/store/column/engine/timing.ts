/** Time limits and pauses around the engine process, in milliseconds. Tests shorten them. */
export interface EngineTiming {
  /** One attempt to open the store. */
  readonly openMax: number;
  /** How long a start waits for a folder that another engine has locked: the engine of a killed server ends soon. */
  readonly lockedMax: number;
  /** Pause before the first repeated attempt; each later one is longer. */
  readonly retryDelay: number;
  readonly pingEvery: number;
  /** A little under the two seconds of /readyz, so that its reply includes the result. */
  readonly pingMax: number;
  /** Time without an answered ping after which the engine is killed. */
  readonly silentMax: number;
  /** Between two log lines while pings have no reply. */
  readonly remindEvery: number;
  /** Between two queries that test whether chDB itself still works. */
  readonly queryEvery: number;
  /** Limit of such a query. Longer than the limit of an insert or a migration (client.ts), so that neither is interrupted. */
  readonly queryMax: number;
  /** Limit of a graceful stop. Shorter than the limit of the whole server (start.ts). */
  readonly stopMax: number;
}

export const engineTimingDefault: EngineTiming = {
  openMax: 180_000,
  lockedMax: 30_000,
  retryDelay: 200,
  pingEvery: 3_000,
  pingMax: 1_800,
  silentMax: 15_000,
  remindEvery: 60_000,
  queryEvery: 10_000,
  queryMax: 120_000,
  stopMax: 20_000,
};
