import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { Context } from "#context";
import { type SdkUpload, seriesKey } from "#ingest/rows/encoded.ts";
import { query } from "#store/column/query.ts";
import { Instant } from "#store/column/values.ts";
import { MemoryShares } from "./memory-shares.ts";

/**
 * Sessions in which a process of an SDK has sent to a series, the first one first: the very first one, the latest ones and
 * `session`, however many there are between them.
 */
const sessionsOfProcess = query({
  name: "ingest.sessions_of_process",
  sql: `SELECT name AS session, firstAt
    FROM (
      SELECT facts['session'] AS name, min(started_at) AS firstAt,
        row_number() OVER (ORDER BY min(started_at), facts['session']) AS fromFirst,
        row_number() OVER (ORDER BY min(started_at) DESC, facts['session'] DESC) AS fromLatest
      FROM profiles
      WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
        AND started_at >= {from:DateTime64(3, 'UTC')}
        AND facts['process'] = {process:String} AND mapContains(facts, 'session')
        AND sample_types = {sampleTypes:Array(String)}
        AND mapKeys(tags) = {tagNames:Array(String)} AND mapValues(tags) = {tagValues:Array(String)}
      GROUP BY name
    )
    WHERE fromFirst = 1 OR fromLatest <= {latestMax:UInt8} OR name = {session:String}
    ORDER BY firstAt, name`,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    type: z.string(),
    from: z.date(),
    process: z.string(),
    session: z.string(),
    latestMax: z.int(),
    sampleTypes: z.array(z.string()),
    tagNames: z.array(z.string()),
    tagValues: z.array(z.string()),
  }),
  row: z.object({ session: z.string(), firstAt: Instant }),
});

/** When each session of a process began to send, the first session first. */
type Sessions = Map<string, number>;

export type FindSessions = (upload: SdkUpload, from: Date) => Promise<Sessions>;

/** Sessions of all processes, each process counted as `processSize` more for its key. */
const sizeMax = 100_000;
const processSize = 4;
/**
 * For one process: the first session, because only that one counts since the process started, and the latest. A session that is
 * not among them is looked up.
 */
const sessionsMax = 64;
const lookBackMs = dayMs;

/**
 * Recognises the first upload of an SDK session in a process that had a session before: when the SDK is stopped and started
 * again, its counters begin with everything since the process started, and most of that was sent before.
 */
export class SdkSessions {
  readonly #find: FindSessions;
  readonly #sessions = new Map<string, Promise<Sessions>>();
  readonly #shares = new MemoryShares({ sizeMax, entrySizeMax: sizeMax });

  constructor(find: FindSessions) {
    this.#find = find;
  }

  /** Whether the counters of the upload repeat counts that an earlier session of its process has sent. */
  async repeatsEarlier(upload: SdkUpload, startedAtMs: number): Promise<boolean> {
    const key = sessionsKey(upload);
    const find = () => this.#find(upload, new Date(startedAtMs - lookBackMs));
    const found = this.#sessions.get(key) ?? find();
    this.#remember(key, upload.series.orgId, found, 1);
    const sessions = await found.catch((error: unknown) => {
      this.#sessions.delete(key);
      throw error;
    });
    const isForgotten = sessions.size >= sessionsMax && !sessions.has(upload.session);
    const foundAlone = isForgotten ? (await find()).get(upload.session) : undefined;
    if (this.#sessions.get(key) === found) {
      this.#remember(key, upload.series.orgId, found, sessions.size + 1);
    }
    const first = sessions.get(upload.session) ?? foundAlone;
    if (first !== undefined && first < startedAtMs) return false;
    // New, or the first upload comes after the second one or is sent again.
    sessions.set(upload.session, startedAtMs);
    keepFirstAndLatest(sessions);
    return sessions.keys().next().value !== upload.session;
  }

  /** To be called if an upload was checked but not stored. */
  forget(upload: SdkUpload): void {
    this.#sessions.delete(sessionsKey(upload));
  }

  /** To be called when stored uploads were removed. */
  clear(): void {
    this.#sessions.clear();
    this.#shares.clear();
  }

  #remember(key: string, orgId: string, sessions: Promise<Sessions>, count: number): void {
    this.#sessions.set(key, sessions);
    for (const removed of this.#shares.use(orgId, key, processSize + count)) this.#sessions.delete(removed);
  }
}

function keepFirstAndLatest(sessions: Sessions): void {
  const [, ...later] = sessions.keys();
  for (const session of later.slice(0, Math.max(0, sessions.size - sessionsMax))) sessions.delete(session);
}

function sessionsKey({ identity, series }: SdkUpload): string {
  return `${identity}/${seriesKey(series)}`;
}

export function findSessionsIn({ columns }: Pick<Context, "columns">): FindSessions {
  return async ({ series, identity, session }, from) => {
    const { orgId, service, type, sampleTypes, tags } = series;
    const rows = await columns.query(sessionsOfProcess, {
      orgId,
      service,
      type,
      from,
      process: identity,
      session,
      latestMax: sessionsMax - 1,
      sampleTypes: [...sampleTypes],
      tagNames: [...tags.keys()],
      tagValues: [...tags.values()],
    });
    return new Map(rows.map(({ session, firstAt }) => [session, firstAt.getTime()]));
  };
}
