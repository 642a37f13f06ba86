/** Time limits and pauses around the engine process, in milliseconds. Tests shorten them. */
export interface EngineTiming {
  /** One attempt to open the store. */
  readonly openMax: number;
  /** How long a start waits for a folder that another engine has locked: one whose server was just killed ends soon. */
  readonly lockedMax: number;
  /** Pause before the first repeated attempt; each later one is longer. */
  readonly retryDelay: number;
  readonly pingEvery: number;
  /** A little under the two seconds in which /readyz answers, so that its answer says what happened. */
  readonly pingMax: number;
  /** Time without an answered ping after which the engine is killed. */
  readonly silentMax: number;
  /** Between two lines of the log while pings have no answer. */
  readonly remindEvery: number;
  /** Between two queries that show whether chDB itself still works. */
  readonly queryEvery: number;
  /** For such a query. Longer than any limit of an insert or a migration (client.ts), so that neither is cut short. */
  readonly queryMax: number;
  /** For an orderly end. Shorter than what the whole server has (start.ts). */
  readonly stopMax: number;
}

export const engineTimingDefault: EngineTiming = {
  openMax: 180_000,
  lockedMax: 10_000,
  retryDelay: 200,
  pingEvery: 3_000,
  pingMax: 1_800,
  silentMax: 15_000,
  remindEvery: 60_000,
  queryEvery: 10_000,
  queryMax: 120_000,
  stopMax: 20_000,
};
