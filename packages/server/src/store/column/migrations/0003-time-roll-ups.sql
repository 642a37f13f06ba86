-- Hours of what summaries tell of profiles, and of HTTP requests; minutes of all requests of a service. The minutes
-- of 0001 keep no percentiles over profiles, and digests per path and minute are too many for a day of requests.
--
-- Each table is filled from what is stored before its view feeds it, emptied first: a migration that was cut off
-- runs again from its beginning. Servers that share a store must not ingest while it runs: what comes between
-- filling and feeding would be missing.

DROP VIEW IF EXISTS readings_1h_feed {on_cluster};
DROP VIEW IF EXISTS http_totals_1h_feed {on_cluster};
DROP VIEW IF EXISTS http_service_totals_1m_feed {on_cluster};

-- A reading is one figure of one profile, amount / weight: cpu_percent (the weight is the duration, so that the mean
-- is CPU time over time), heap_in_use_bytes, heap_alloc_bytes (what was allocated since the profile before; none
-- where there was none), and of every profile duration_ms, which counts each profile once.
CREATE TABLE IF NOT EXISTS readings_1h {on_cluster}
(
    org_id   UUID,
    reading  LowCardinality(String),
    service  LowCardinality(String),
    type     LowCardinality(String),
    hour     DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
    profiles SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    samples  SimpleAggregateFunction(sum, Int64) CODEC(ZSTD(1)),
    amount   SimpleAggregateFunction(sum, Float64) CODEC(ZSTD(1)),
    weight   SimpleAggregateFunction(sum, Float64) CODEC(ZSTD(1)),
    peak     SimpleAggregateFunction(max, Float64) CODEC(ZSTD(1)),
    earliest SimpleAggregateFunction(min, DateTime('UTC')) CODEC(ZSTD(1)),
    latest   SimpleAggregateFunction(max, DateTime('UTC')) CODEC(ZSTD(1)),
    digest   AggregateFunction(quantilesTDigest(0.95), Float64) CODEC(ZSTD(1))
)
ENGINE = {engine}AggregatingMergeTree
PARTITION BY toDate(hour)
ORDER BY (org_id, reading, service, type, hour)
SETTINGS non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

CREATE TABLE IF NOT EXISTS http_totals_1h {on_cluster}
(
    org_id           UUID,
    service          LowCardinality(String),
    method           LowCardinality(String),
    path             LowCardinality(String),
    status_class     UInt8,
    hour             DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
    requests         SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    duration_seconds SimpleAggregateFunction(sum, Float64) CODEC(ZSTD(1)),
    durations        AggregateFunction(quantilesTDigest(0.5, 0.95, 0.99), Float64) CODEC(ZSTD(1))
)
ENGINE = {engine}AggregatingMergeTree
PARTITION BY toDate(hour)
ORDER BY (org_id, service, hour, path, method, status_class)
SETTINGS non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

CREATE TABLE IF NOT EXISTS http_service_totals_1m {on_cluster}
(
    org_id           UUID,
    service          LowCardinality(String),
    minute           DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
    requests         SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    requests_4xx     SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    requests_5xx     SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    duration_seconds SimpleAggregateFunction(sum, Float64) CODEC(ZSTD(1)),
    durations        AggregateFunction(quantilesTDigest(0.5, 0.95, 0.99), Float64) CODEC(ZSTD(1))
)
ENGINE = {engine}AggregatingMergeTree
PARTITION BY toDate(minute)
ORDER BY (org_id, service, minute)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

TRUNCATE TABLE readings_1h {on_cluster};
TRUNCATE TABLE http_totals_1h {on_cluster};
TRUNCATE TABLE http_service_totals_1m {on_cluster};

INSERT INTO readings_1h (org_id, reading, service, type, hour, profiles, samples, amount, weight, peak, earliest, latest, digest)
SELECT org_id, figure.1 AS reading, service, type, toStartOfHour(started_at) AS hour, count() AS profiles,
    sum(sampled) AS samples, sum(figure.2) AS amount, sum(figure.3) AS weight, max(figure.2 / figure.3) AS peak,
    min(toDateTime(started_at, 'UTC')) AS earliest, max(toDateTime(started_at, 'UTC')) AS latest,
    quantilesTDigestState(0.95)(figure.2 / figure.3) AS digest
FROM
(
    SELECT org_id, service, type, started_at,
        if(has(sample_types, 'samples/count'), deltas_totals[indexOf(sample_types, 'samples/count')],
            toInt64(sample_count)) AS sampled,
        arrayFilter(entry -> entry.3 > 0, [
            ('duration_ms', duration_ns / 1e6, 1.),
            ('cpu_percent', 100. * deltas_totals[indexOf(sample_types, 'cpu/nanoseconds')],
                if(type = 'cpu' AND has(sample_types, 'cpu/nanoseconds'), toFloat64(duration_ns), 0.)),
            ('heap_in_use_bytes', toFloat64(deltas_totals[indexOf(sample_types, 'inuse_space/bytes')]),
                if(type = 'memory' AND has(sample_types, 'inuse_space/bytes'), 1., 0.)),
            ('heap_alloc_bytes', toFloat64(deltas_totals[indexOf(sample_types, 'alloc_space/bytes')]),
                if(type = 'memory' AND deltas_totals[indexOf(sample_types, 'alloc_space/bytes')] > 0, 1., 0.))
        ]) AS figures
    FROM profiles
)
ARRAY JOIN figures AS figure
GROUP BY org_id, reading, service, type, hour
SETTINGS max_partitions_per_insert_block = 0, max_bytes_before_external_group_by = 100000000;

CREATE MATERIALIZED VIEW IF NOT EXISTS readings_1h_feed {on_cluster} TO readings_1h AS
SELECT org_id, figure.1 AS reading, service, type, toStartOfHour(started_at) AS hour, count() AS profiles,
    sum(sampled) AS samples, sum(figure.2) AS amount, sum(figure.3) AS weight, max(figure.2 / figure.3) AS peak,
    min(toDateTime(started_at, 'UTC')) AS earliest, max(toDateTime(started_at, 'UTC')) AS latest,
    quantilesTDigestState(0.95)(figure.2 / figure.3) AS digest
FROM
(
    SELECT org_id, service, type, started_at,
        if(has(sample_types, 'samples/count'), deltas_totals[indexOf(sample_types, 'samples/count')],
            toInt64(sample_count)) AS sampled,
        arrayFilter(entry -> entry.3 > 0, [
            ('duration_ms', duration_ns / 1e6, 1.),
            ('cpu_percent', 100. * deltas_totals[indexOf(sample_types, 'cpu/nanoseconds')],
                if(type = 'cpu' AND has(sample_types, 'cpu/nanoseconds'), toFloat64(duration_ns), 0.)),
            ('heap_in_use_bytes', toFloat64(deltas_totals[indexOf(sample_types, 'inuse_space/bytes')]),
                if(type = 'memory' AND has(sample_types, 'inuse_space/bytes'), 1., 0.)),
            ('heap_alloc_bytes', toFloat64(deltas_totals[indexOf(sample_types, 'alloc_space/bytes')]),
                if(type = 'memory' AND deltas_totals[indexOf(sample_types, 'alloc_space/bytes')] > 0, 1., 0.))
        ]) AS figures
    FROM profiles
)
ARRAY JOIN figures AS figure
GROUP BY org_id, reading, service, type, hour;

INSERT INTO http_totals_1h (org_id, service, method, path, status_class, hour, requests, duration_seconds, durations)
SELECT org_id, service, method, path, status_class, hour, count() AS requests, sum(seconds) AS duration_seconds,
    quantilesTDigestState(0.5, 0.95, 0.99)(seconds) AS durations
FROM
(
    SELECT org_id, service, method, path, duration_seconds AS seconds, toStartOfHour(at) AS hour,
        toUInt8(if(status_code BETWEEN 100 AND 599, intDiv(status_code, 100), 0)) AS status_class
    FROM http_requests
)
GROUP BY org_id, service, method, path, status_class, hour
SETTINGS max_partitions_per_insert_block = 0, max_bytes_before_external_group_by = 100000000;

CREATE MATERIALIZED VIEW IF NOT EXISTS http_totals_1h_feed {on_cluster} TO http_totals_1h AS
SELECT org_id, service, method, path, status_class, hour, count() AS requests, sum(seconds) AS duration_seconds,
    quantilesTDigestState(0.5, 0.95, 0.99)(seconds) AS durations
FROM
(
    SELECT org_id, service, method, path, duration_seconds AS seconds, toStartOfHour(at) AS hour,
        toUInt8(if(status_code BETWEEN 100 AND 599, intDiv(status_code, 100), 0)) AS status_class
    FROM http_requests
)
GROUP BY org_id, service, method, path, status_class, hour;

INSERT INTO http_service_totals_1m (org_id, service, minute, requests, requests_4xx, requests_5xx, duration_seconds, durations)
SELECT org_id, service, minute, count() AS requests, countIf(status_code BETWEEN 400 AND 499) AS requests_4xx,
    countIf(status_code BETWEEN 500 AND 599) AS requests_5xx, sum(seconds) AS duration_seconds,
    quantilesTDigestState(0.5, 0.95, 0.99)(seconds) AS durations
FROM
(
    SELECT org_id, service, status_code, duration_seconds AS seconds, toStartOfMinute(at) AS minute
    FROM http_requests
)
GROUP BY org_id, service, minute
SETTINGS max_partitions_per_insert_block = 0, max_bytes_before_external_group_by = 100000000;

CREATE MATERIALIZED VIEW IF NOT EXISTS http_service_totals_1m_feed {on_cluster} TO http_service_totals_1m AS
SELECT org_id, service, minute, count() AS requests, countIf(status_code BETWEEN 400 AND 499) AS requests_4xx,
    countIf(status_code BETWEEN 500 AND 599) AS requests_5xx, sum(seconds) AS duration_seconds,
    quantilesTDigestState(0.5, 0.95, 0.99)(seconds) AS durations
FROM
(
    SELECT org_id, service, status_code, duration_seconds AS seconds, toStartOfMinute(at) AS minute
    FROM http_requests
)
GROUP BY org_id, service, minute;
