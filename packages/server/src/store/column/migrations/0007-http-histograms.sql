-- How long HTTP requests took as histograms, in the place of t-digests: a day of a busy service reads in a quarter of
-- the time, and a percentile is within 1 % of the duration of its rank instead of within 1 % of the ranks. Bin n holds
-- durations in (1.02^(n-1), 1.02^n] seconds, bin -32768 zero.
--
-- Hours are written by roll-up-http.ts when they are over, and count only while they hold as many requests as their
-- minutes do. Two views are left, because each costs an insert of requests as much as storing them.
--
-- The tables are made anew from what is stored: a migration that was cut off runs again from its beginning.

DROP VIEW IF EXISTS http_totals_1m_feed {on_cluster};

DROP VIEW IF EXISTS http_totals_1h_feed {on_cluster};

DROP VIEW IF EXISTS http_service_totals_1m_feed {on_cluster};

DROP TABLE IF EXISTS http_totals_1m {on_cluster} SYNC;

DROP TABLE IF EXISTS http_totals_1h {on_cluster} SYNC;

DROP TABLE IF EXISTS http_service_totals_1m {on_cluster} SYNC;

CREATE TABLE IF NOT EXISTS http_totals_1m {on_cluster}
(
    org_id           UUID,
    service          LowCardinality(String),
    method           LowCardinality(String),
    path             LowCardinality(String),
    status_class     UInt8,
    minute           DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
    requests         SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    duration_seconds SimpleAggregateFunction(sum, Float64) CODEC(ZSTD(1)),
    durations        SimpleAggregateFunction(sumMap, Tuple(Array(Int16), Array(UInt64))) CODEC(ZSTD(1))
)
ENGINE = {engine}AggregatingMergeTree
PARTITION BY toDate(minute)
ORDER BY (org_id, service, minute, path, method, status_class)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 1000,
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
    durations        SimpleAggregateFunction(sumMap, Tuple(Array(Int16), Array(UInt64))) CODEC(ZSTD(1))
)
ENGINE = {engine}AggregatingMergeTree
PARTITION BY toDate(hour)
ORDER BY (org_id, service, hour, path, method, status_class)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 1000,
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
    durations        SimpleAggregateFunction(sumMap, Tuple(Array(Int16), Array(UInt64))) CODEC(ZSTD(1))
)
ENGINE = {engine}AggregatingMergeTree
PARTITION BY toDate(minute)
ORDER BY (org_id, service, minute)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

INSERT INTO http_totals_1m (org_id, service, method, path, status_class, minute, requests, duration_seconds, durations)
SELECT org_id, service, method, path, status_class, minute, count() AS requests,
    sum(seconds) AS duration_seconds, sumMap(([bin], [toUInt64(1)])) AS durations
FROM
(
    SELECT org_id, service, method, path, duration_seconds AS seconds, toStartOfMinute(at) AS minute,
        toUInt8(if(status_code BETWEEN 100 AND 599, intDiv(status_code, 100), 0)) AS status_class,
        if(duration_seconds > 0, toInt16(ceil(log(duration_seconds) / log(1.02))), toInt16(-32768)) AS bin
    FROM http_requests
)
GROUP BY org_id, service, method, path, status_class, minute
SETTINGS max_partitions_per_insert_block = 0, max_bytes_before_external_group_by = 100000000, insert_deduplicate = 0;

INSERT INTO http_service_totals_1m (org_id, service, minute, requests, requests_4xx, requests_5xx, duration_seconds, durations)
SELECT org_id, service, minute, count() AS requests, countIf(status_code BETWEEN 400 AND 499) AS requests_4xx,
    countIf(status_code BETWEEN 500 AND 599) AS requests_5xx, sum(seconds) AS duration_seconds,
    sumMap(([bin], [toUInt64(1)])) AS durations
FROM
(
    SELECT org_id, service, status_code, duration_seconds AS seconds, toStartOfMinute(at) AS minute,
        if(duration_seconds > 0, toInt16(ceil(log(duration_seconds) / log(1.02))), toInt16(-32768)) AS bin
    FROM http_requests
)
GROUP BY org_id, service, minute
SETTINGS max_partitions_per_insert_block = 0, max_bytes_before_external_group_by = 100000000, insert_deduplicate = 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS http_totals_1m_feed {on_cluster} TO http_totals_1m AS
SELECT org_id, service, method, path, status_class, minute, count() AS requests,
    sum(seconds) AS duration_seconds, sumMap(([bin], [toUInt64(1)])) AS durations
FROM
(
    SELECT org_id, service, method, path, duration_seconds AS seconds, toStartOfMinute(at) AS minute,
        toUInt8(if(status_code BETWEEN 100 AND 599, intDiv(status_code, 100), 0)) AS status_class,
        if(duration_seconds > 0, toInt16(ceil(log(duration_seconds) / log(1.02))), toInt16(-32768)) AS bin
    FROM http_requests
)
GROUP BY org_id, service, method, path, status_class, minute;

CREATE MATERIALIZED VIEW IF NOT EXISTS http_service_totals_1m_feed {on_cluster} TO http_service_totals_1m AS
SELECT org_id, service, minute, count() AS requests, countIf(status_code BETWEEN 400 AND 499) AS requests_4xx,
    countIf(status_code BETWEEN 500 AND 599) AS requests_5xx, sum(seconds) AS duration_seconds,
    sumMap(([bin], [toUInt64(1)])) AS durations
FROM
(
    SELECT org_id, service, status_code, duration_seconds AS seconds, toStartOfMinute(at) AS minute,
        if(duration_seconds > 0, toInt16(ceil(log(duration_seconds) / log(1.02))), toInt16(-32768)) AS bin
    FROM http_requests
)
GROUP BY org_id, service, minute;
