import { join } from "node:path";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { Session } from "chdb";

interface DataSet {
  readonly profiles: number;
  readonly orgId: string;
  /** The organization of the stored profiles that are multiplied. */
  readonly templateOrgId: string;
  readonly at: Date;
}

export const days = 30;
export const services = 50;
/** Share of the profiles that one service sent within the last day: 86,400 of a million, one a second. */
const busyShare = 0.0864;
/** HTTP requests of one service within the last day, for each profile of the set. */
const requestsPerProfile = 10;
/** Busy profiles have the stacks of three recorded ones, about 500. */
export const busyService = "service-00";
export const steadyService = "service-01";

/**
 * Multiplies the recorded profiles into a data set, in the engine itself: rows as ingestion makes them, which feed the
 * roll-ups as an insert does. The same numbers give the same set: times and choices are hashes of row numbers.
 * Payloads are left out, so that a million profiles need a few gigabytes. Hourly stack totals are made for the two
 * services whose merged flame graphs are measured.
 */
export function makeDataSet(dataDir: string, set: DataSet): void {
  const session = new Session(join(dataDir, "columns"));
  const run = runIn(session, set);
  try {
    run("USE default");
    makeTemplates(run);
    const busy = Math.round(set.profiles * busyShare);
    const perDay = Math.ceil((set.profiles - busy) / days);
    for (let day = 0; day < days; day++) {
      const rows = Math.min(perDay, set.profiles - busy - day * perDay);
      run(steadyProfiles(set, day, rows));
      for (const sql of definitions(set, day)) run(sql);
    }
    run(busyProfiles(set, busy));
    for (let hour = 0; hour < 24; hour++) run(httpRequests(set, hour));
    for (const service of [busyService, steadyService]) for (const sql of stackTotals(set, service)) run(sql);
    removeTemplates(run);
    // As the background does over hours: a day's parts become one.
    for (const table of filled) run(`OPTIMIZE TABLE ${table} FINAL`);
  } finally {
    session.close();
  }
}

/** Many services. Each has a profile of each type a minute. */
export interface Fleet extends Pick<DataSet, "orgId" | "templateOrgId"> {
  readonly services: number;
  /** The start of the hour. */
  readonly hour: Date;
}

export const fleetTypes = ["cpu", "memory", "goroutine", "mutex", "block"];

/** Adds an hour of a fleet as ingestion would: the profiles of a minute are inserted together. */
export function makeFleetHour(dataDir: string, fleet: Fleet): void {
  const session = new Session(join(dataDir, "columns"));
  const run = runIn(session, fleet);
  try {
    run("USE default");
    makeTemplates(run);
    for (let minute = 0; minute < 60; minute++) run(fleetMinute(fleet, minute));
    removeTemplates(run);
  } finally {
    session.close();
  }
}

function fleetMinute({ services, hour }: Fleet, minute: number): string {
  const types = fleetTypes.map((type) => `'${type}'`).join(", ");
  return insertProfiles(`
    SELECT concat('fleet-', leftPad(toString(intDiv(position, ${fleetTypes.length})), 5, '0')) AS service,
      [${types}][1 + position % ${fleetTypes.length}] AS type, type AS template,
      toUInt32(3 * (sipHash64(position) % intDiv(held.count, 3)) + hash % 3) AS number,
      fromUnixTimestamp64Milli(toInt64(${hour.getTime() + minute * minuteMs} + hash % ${minuteMs}), 'UTC') AS started_at,
      hash, toInt64(1 + intDiv(hash, 4096) % 4) AS scale
    FROM (SELECT number AS position, sipHash64(${minute}, number) AS hash FROM numbers(${services * fleetTypes.length})) AS chosen
    CROSS JOIN (SELECT min(count) AS count FROM (SELECT count() AS count FROM bench_templates WHERE type != 'busy' GROUP BY type)) AS held`);
}

/** Organizations by number: each of the first has `servicesOfMost`, the last one the rest. */
export interface WideSet extends Pick<DataSet, "orgId" | "templateOrgId"> {
  readonly orgIds: readonly string[];
  readonly servicesOfMost: number;
  readonly services: number;
  readonly hours: readonly Date[];
}

const wideTypes = ["cpu", "memory", "goroutine"];

/** A profile of a few stacks and a request an hour for each service and type; rows as ingestion makes them. */
export function makeWideSet(dataDir: string, set: WideSet): void {
  const session = new Session(join(dataDir, "columns"));
  const run = runIn(session, set);
  try {
    run("USE default");
    makeTemplates(run);
    for (const hour of set.hours) run(wideHour(set, hour));
    for (const hour of set.hours) run(wideRequests(set, hour));
    for (const [table, columns] of Object.entries(definitionColumns))
      run(`INSERT INTO ${table} (org_id, day, ${columns})
        SELECT arrayJoin(${organizationList(set)}), toDate('${set.hours.at(-1)!.toISOString().slice(0, 10)}'), ${columns}
        FROM bench_definitions_${table}`);
    removeTemplates(run);
    for (const table of filled) run(`OPTIMIZE TABLE ${table} FINAL`);
  } finally {
    session.close();
  }
}

const definitionColumns = {
  stacks: "stack_id, frame_ids",
  frames: "frame_id, function, package, file, line, start_line",
};

const organizationList = ({ orgIds }: WideSet) => `[${orgIds.map((id) => `toUUID('${id}')`).join(", ")}]`;

/** SELECT of org_id and service for a position among all services. */
function wideService(set: WideSet): string {
  const organization = `least(intDiv(position, ${set.servicesOfMost}), ${set.orgIds.length - 1})`;
  return `${organizationList(set)}[1 + ${organization}] AS org_id,
      concat('service-', leftPad(toString(position - ${set.servicesOfMost} * ${organization}), 5, '0')) AS service`;
}

function wideHour(set: WideSet, hour: Date): string {
  const types = wideTypes.map((type) => `'${type}'`).join(", ");
  return insertProfiles(
    `
    SELECT ${wideService(set)},
      [${types}][1 + row % ${wideTypes.length}] AS type, type AS template, toUInt32(position % 3) AS number,
      fromUnixTimestamp64Milli(toInt64(${hour.getTime()} + hash % ${hourMs}), 'UTC') AS started_at,
      hash, toInt64(1 + intDiv(hash, 4096) % 4) AS scale
    FROM (SELECT numbers.number AS row, intDiv(row, ${wideTypes.length}) AS position, sipHash64(${hour.getTime()}, row) AS hash
      FROM numbers(${set.services * wideTypes.length}) AS numbers) AS chosen`,
    { orgId: "made.org_id", stacksMax: wideStacksMax },
  );
}

const wideStacksMax = 8;

function wideRequests(set: WideSet, hour: Date): string {
  return `INSERT INTO http_requests (org_id, service, at, duration_seconds, status_code, method, path, request_id, profile_id)
    SELECT org_id, service, fromUnixTimestamp64Milli(toInt64(${hour.getTime()} + hash % ${hourMs}), 'UTC'),
      0.002 * exp((hash % 5000) / 1000), [200, 200, 404, 500][1 + intDiv(hash, 8192) % 4], 'GET',
      concat('/api/path-', toString(intDiv(hash, 131072) % 3)), hex(hash), ''
    FROM (SELECT number AS position, ${wideService(set)}, sipHash64(${hour.getTime()}, number) AS hash FROM numbers(${set.services}))`;
}

function runIn(session: Session, { orgId, templateOrgId }: Pick<DataSet, "orgId" | "templateOrgId">): Run {
  return (sql) =>
    void session.query(
      sql.replaceAll("{org}", `toUUID('${orgId}')`).replaceAll("{templates}", `toUUID('${templateOrgId}')`),
    );
}

const filled = [
  "profiles",
  "stacks",
  "frames",
  "stack_totals_1h",
  "rolled_hours",
  "type_totals_1m",
  "profile_totals_1h",
  "http_requests",
  "http_totals_1m",
  "http_totals_1h",
  "http_service_totals_1m",
];

type Run = (sql: string) => void;

const copied =
  "sample_types, totals, sample_count, stack_count, original_bytes, raw_bytes, content_hash, stacks, values";

/** Templates by type and number; type `busy` joins three CPU profiles of different programs. */
function makeTemplates(run: Run): void {
  run(`CREATE TABLE bench_templates ENGINE = Memory AS
    SELECT type, toUInt32(row_number() OVER (PARTITION BY type ORDER BY service) - 1) AS number, ${copied}
    FROM profiles WHERE org_id = {templates}`);
  run(`CREATE TABLE bench_definitions_stacks ENGINE = Memory AS
    SELECT DISTINCT stack_id, frame_ids FROM stacks WHERE org_id = {templates}`);
  run(`CREATE TABLE bench_definitions_frames ENGINE = Memory AS
    SELECT DISTINCT frame_id, function, package, file, line, start_line FROM frames WHERE org_id = {templates}`);
  run(`INSERT INTO bench_templates
    SELECT 'busy' AS type, toUInt32(0) AS number, any(sample_types), sumForEach(totals), sum(sample_count), sum(stack_count),
      sum(original_bytes), sum(raw_bytes), any(content_hash), groupArrayArray(stacks),
      [groupArrayArray(values[1]), groupArrayArray(values[2])]
    FROM (SELECT * FROM bench_templates WHERE type = 'cpu' ORDER BY stack_count DESC LIMIT 1 BY intDiv(number, 3) LIMIT 3)`);
}

function removeTemplates(run: Run): void {
  for (const table of ["bench_templates", "bench_definitions_stacks", "bench_definitions_frames"]) {
    run(`DROP TABLE ${table}`);
  }
}

const written = `org_id, service, type, started_at, profile_id, received_at, duration_ns, tags, facts, sample_types, totals,
  deltas_totals, sample_count, stack_count, original_bytes, raw_bytes, content_hash, trimmed, sender, stacks, values`;

/** `rows`: SELECT of service, type, template, started_at, hash, scale. */
function insertProfiles(rows: string, { orgId = "{org}", stacksMax = 1_000_000 } = {}): string {
  return `INSERT INTO profiles (${written})
    SELECT ${orgId}, made.service, made.type, made.started_at,
      concat(left(lower(hex(sipHash128(made.hash))), 24), lower(leftPad(hex(toUInt32(made.started_at)), 8, '0'))),
      made.started_at, if(made.type IN ('cpu', 'mutex', 'block'), 10000000000, 0),
      map('region', if(made.hash % 3 = 0, 'eu', 'us'), 'version', concat('v1.', toString(made.hash % 7))),
      map(), sample_types, arrayMap(x -> x * made.scale, totals), arrayMap(x -> x * made.scale, totals),
      sample_count, stack_count, original_bytes, raw_bytes, content_hash, map(), 'api', arraySlice(stacks, 1, ${stacksMax}),
      arrayMap(list -> arrayMap(x -> x * made.scale, arraySlice(list, 1, ${stacksMax})), values)
    FROM (${rows}) AS made
    INNER JOIN bench_templates AS template ON template.type = made.template AND template.number = made.number
    SETTINGS max_block_size = 1024, min_insert_block_size_rows = 8192, min_insert_block_size_bytes = 60000000,
      max_threads = 2, max_partitions_per_insert_block = 0`;
}

function steadyProfiles({ at }: DataSet, day: number, rows: number): string {
  const startMs = at.getTime() - (day + 1) * dayMs;
  return insertProfiles(`
    SELECT concat('service-', leftPad(toString(1 + hash % ${services - 1}), 2, '0')) AS service,
      ['cpu', 'cpu', 'cpu', 'memory', 'goroutine', 'mutex', 'block'][1 + intDiv(hash, 64) % 7] AS type, type AS template,
      toUInt32(intDiv(hash, 1024) % held.count) AS number,
      fromUnixTimestamp64Milli(toInt64(${startMs} + intDiv(position * 86400000, ${rows})), 'UTC') AS started_at,
      hash, toInt64(1 + intDiv(hash, 4096) % 4) AS scale
    FROM (SELECT number AS position, sipHash64(${day}, number) AS hash FROM numbers(${rows})) AS chosen
    CROSS JOIN (SELECT min(count) AS count FROM (SELECT count() AS count FROM bench_templates WHERE type != 'busy' GROUP BY type)) AS held`);
}

function busyProfiles({ at }: DataSet, rows: number): string {
  const startMs = at.getTime() - dayMs;
  return insertProfiles(`
    SELECT '${busyService}' AS service, 'cpu' AS type, 'busy' AS template, toUInt32(0) AS number,
      fromUnixTimestamp64Milli(toInt64(${startMs} + intDiv(position * 86400000, ${rows})), 'UTC') AS started_at,
      hash, toInt64(1 + hash % 4) AS scale
    FROM (SELECT number AS position, sipHash64('busy', number) AS hash FROM numbers(${rows}))`);
}

/** Rows that ingestion sends once a day. */
function definitions({ at }: DataSet, day: number): string[] {
  const date = new Date(at.getTime() - day * dayMs).toISOString().slice(0, 10);
  return [
    `INSERT INTO stacks (org_id, day, stack_id, frame_ids)
    SELECT {org}, toDate('${date}'), stack_id, frame_ids FROM bench_definitions_stacks`,
    `INSERT INTO frames (org_id, day, frame_id, function, package, file, line, start_line)
    SELECT {org}, toDate('${date}'), frame_id, function, package, file, line, start_line FROM bench_definitions_frames`,
  ];
}

function httpRequests({ profiles, at }: DataSet, hour: number): string {
  const rows = Math.round((profiles * requestsPerProfile) / 24);
  const startMs = at.getTime() - (hour + 1) * hourMs;
  return `INSERT INTO http_requests (org_id, service, at, duration_seconds, status_code, method, path, request_id, profile_id)
    SELECT {org}, '${steadyService}',
      fromUnixTimestamp64Milli(toInt64(${startMs} + intDiv(number * 3600000, ${rows})), 'UTC'),
      0.002 * exp((hash % 5000) / 1000), [200, 200, 200, 200, 200, 201, 204, 304, 404, 500][1 + intDiv(hash, 8192) % 10],
      ['GET', 'POST'][1 + intDiv(hash, 65536) % 2], concat('/api/path-', toString(intDiv(hash, 131072) % 20)),
      hex(hash), ''
    FROM (SELECT number, sipHash64(${hour}, number) AS hash FROM numbers(${rows}))
    SETTINGS max_block_size = 65536, min_insert_block_size_rows = 262144, max_threads = 2`;
}

function stackTotals({ at }: DataSet, service: string): string[] {
  const until = `toDateTime(${Math.floor(at.getTime() / hourMs) * 3600}, 'UTC')`;
  const of = `org_id = {org} AND service = '${service}' AND started_at < ${until}`;
  return [
    `INSERT INTO stack_totals_1h (org_id, service, type, sample_type, hour, stack_id, value, version)
      SELECT org_id, service, type, sample_type, hour, stack_id, sum(value), 1
      FROM (SELECT org_id, service, type, sample_type, toStartOfHour(started_at) AS hour, stacks, type_values
        FROM profiles ARRAY JOIN sample_types AS sample_type, values AS type_values WHERE ${of})
      ARRAY JOIN stacks AS stack_id, type_values AS value
      GROUP BY ALL
      SETTINGS max_block_size = 256, max_threads = 2, max_partitions_per_insert_block = 0`,
    `INSERT INTO rolled_hours (org_id, service, type, hour, version, profiles)
      SELECT org_id, service, type, toStartOfHour(started_at) AS hour, 1, count() FROM profiles WHERE ${of} GROUP BY ALL
      SETTINGS max_partitions_per_insert_block = 0`,
  ];
}
