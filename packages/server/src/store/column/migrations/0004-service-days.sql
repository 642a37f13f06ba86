-- What each service sent on a day, and when last: lists of services and of profiles ask this instead of counting
-- minutes. Filled from what is stored before the view feeds it, emptied first, as in 0003.

DROP VIEW IF EXISTS service_days_feed {on_cluster};

CREATE TABLE IF NOT EXISTS service_days {on_cluster}
(
    org_id   UUID,
    day      Date,
    service  LowCardinality(String),
    type     LowCardinality(String),
    profiles SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),
    latest   SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1))
)
ENGINE = {engine}AggregatingMergeTree
PARTITION BY day
ORDER BY (org_id, day, service, type)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

TRUNCATE TABLE service_days {on_cluster};

INSERT INTO service_days (org_id, day, service, type, profiles, latest)
SELECT org_id, toDate(started_at) AS day, service, type, count() AS profiles, max(started_at) AS latest
FROM profiles
GROUP BY org_id, day, service, type
SETTINGS max_partitions_per_insert_block = 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS service_days_feed {on_cluster} TO service_days AS
SELECT org_id, toDate(started_at) AS day, service, type, count() AS profiles, max(started_at) AS latest
FROM profiles
GROUP BY org_id, day, service, type;
