-- Profiles, the stacks they are made of, their original bytes, and the roll-ups that answer long ranges.
--
-- Every table ends with the same durability settings: without them chDB loses acknowledged rows at a power cut,
-- because neither inserts nor merges reach the disk before the parts they replace are removed.

CREATE TABLE IF NOT EXISTS profiles {on_cluster}
(
    org_id         UUID,
    service        LowCardinality(String),
    type           LowCardinality(String),
    started_at     DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
    profile_id     String CODEC(ZSTD(1)),
    received_at    DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
    duration_ns    UInt64 CODEC(ZSTD(1)),
    tags           Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    facts          Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    sample_types   Array(LowCardinality(String)),
    totals         Array(Int64) CODEC(ZSTD(1)),
    deltas_totals  Array(Int64) CODEC(ZSTD(1)),
    sample_count   UInt32 CODEC(ZSTD(1)),
    stack_count    UInt32 CODEC(ZSTD(1)),
    original_bytes UInt32 CODEC(ZSTD(1)),
    raw_bytes      UInt32 CODEC(ZSTD(1)),
    content_hash   String CODEC(ZSTD(1)),
    trimmed        Map(LowCardinality(String), UInt64) CODEC(ZSTD(1)),
    sender         LowCardinality(String),
    -- Little-endian 64-bit words: the stack ids, and the values of all sample types one type after the other.
    stacks_b64     String EPHEMERAL,
    values_b64     String EPHEMERAL,
    stacks         Array(UInt64) DEFAULT reinterpret(base64Decode(stacks_b64), 'Array(UInt64)') CODEC(ZSTD(3)),
    values         Array(Array(Int64)) DEFAULT arrayMap(
                       i -> arraySlice(
                           reinterpret(base64Decode(values_b64), 'Array(Int64)'),
                           toInt64(i * length(stacks) + 1),
                           length(stacks)),
                       range(length(sample_types))) CODEC(ZSTD(1)),
    INDEX by_profile_id profile_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = {engine}MergeTree
PARTITION BY toDate(started_at)
ORDER BY (org_id, service, type, started_at, profile_id)
SETTINGS index_granularity = 256, merge_max_block_size_bytes = 2000000,
    non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

-- A payload is already compressed; eight to a granule, so that reading one reads under a megabyte. Merges rewrite
-- megabytes to save parts, so they are few, and small in memory.
CREATE TABLE IF NOT EXISTS payloads {on_cluster}
(
    org_id      UUID,
    profile_id  String CODEC(ZSTD(1)),
    started_at  DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
    payload_b64 String EPHEMERAL,
    payload     String DEFAULT base64Decode(payload_b64) CODEC(NONE)
)
ENGINE = {engine}MergeTree
PARTITION BY toDate(started_at)
ORDER BY (org_id, profile_id)
SETTINGS index_granularity = 8, max_compress_block_size = 262144, merge_max_block_size_bytes = 1000000,
    max_bytes_to_merge_at_max_space_in_pool = 2000000000, merge_selector_base = 8, max_parts_to_merge_at_once = 10,
    non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

-- What a stack id means. Sent again once a day, so that retention can drop whole days.
CREATE TABLE IF NOT EXISTS stacks {on_cluster}
(
    org_id        UUID,
    day           Date,
    stack_id      UInt64,
    frame_ids_b64 String EPHEMERAL,
    frame_ids     Array(UInt64) DEFAULT reinterpret(base64Decode(frame_ids_b64), 'Array(UInt64)') CODEC(ZSTD(1))
)
ENGINE = {engine}ReplacingMergeTree
PARTITION BY day
ORDER BY (org_id, stack_id)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

CREATE TABLE IF NOT EXISTS frames {on_cluster}
(
    org_id     UUID,
    day        Date,
    frame_id   UInt64,
    function   String CODEC(ZSTD(1)),
    package    LowCardinality(String),
    file       LowCardinality(String),
    line       Int64 CODEC(ZSTD(1)),
    start_line Int64 CODEC(ZSTD(1))
)
ENGINE = {engine}ReplacingMergeTree
PARTITION BY day
ORDER BY (org_id, frame_id)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

-- What each stack added in an hour. Not fed by a view: one insert's share of it cost ten times the insert itself.
-- roll-up.ts writes an hour when it is over, again with a higher version when profiles came later, and notes in
-- rolled_hours how many profiles it summed. A version counts only while that is still the number of profiles the
-- hour has (type_totals_1m); until then readers sum `profiles`. So the roll-up is never wrong, only absent.
-- Gauges are summed too: divide by the number of profiles.
CREATE TABLE IF NOT EXISTS stack_totals_1h {on_cluster}
(
    org_id      UUID,
    service     LowCardinality(String),
    type        LowCardinality(String),
    sample_type LowCardinality(String),
    hour        DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
    stack_id    UInt64 CODEC(ZSTD(1)),
    value       Int64 CODEC(ZSTD(1)),
    version     UInt64 CODEC(ZSTD(1))
)
ENGINE = {engine}ReplacingMergeTree(version)
PARTITION BY toDate(hour)
ORDER BY (org_id, service, type, sample_type, hour, stack_id)
SETTINGS non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

CREATE TABLE IF NOT EXISTS rolled_hours {on_cluster}
(
    org_id   UUID,
    service  LowCardinality(String),
    type     LowCardinality(String),
    hour     DateTime('UTC'),
    version  UInt64,
    profiles UInt64
)
ENGINE = {engine}ReplacingMergeTree(version)
PARTITION BY toDate(hour)
ORDER BY (org_id, service, type, hour)
SETTINGS non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

-- Sample type '' stands for the profiles themselves: it counts each profile once, whatever its sample types.
CREATE TABLE IF NOT EXISTS type_totals_1m {on_cluster}
(
    org_id       UUID,
    service      LowCardinality(String),
    type         LowCardinality(String),
    sample_type  LowCardinality(String),
    minute       DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
    value        Int64 CODEC(ZSTD(1)),
    profiles     UInt64 CODEC(ZSTD(1)),
    samples      UInt64 CODEC(ZSTD(1)),
    duration_ns  UInt64 CODEC(ZSTD(1)),
    stored_bytes UInt64 CODEC(ZSTD(1))
)
ENGINE = {engine}SummingMergeTree((value, profiles, samples, duration_ns, stored_bytes))
PARTITION BY toDate(minute)
ORDER BY (org_id, service, type, sample_type, minute)
SETTINGS non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

CREATE MATERIALIZED VIEW IF NOT EXISTS type_totals_1m_feed {on_cluster} TO type_totals_1m AS
SELECT org_id, service, type, sample_type, toStartOfMinute(started_at) AS minute,
    sum(total) AS value, count() AS profiles, sum(sample_count) AS samples,
    sum(profiles.duration_ns) AS duration_ns, sum(original_bytes) AS stored_bytes
FROM profiles
ARRAY JOIN arrayPushFront(sample_types, '') AS sample_type, arrayPushFront(deltas_totals, 0) AS total
GROUP BY org_id, service, type, sample_type, minute;

CREATE TABLE IF NOT EXISTS http_requests {on_cluster}
(
    org_id           UUID,
    service          LowCardinality(String),
    at               DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
    duration_seconds Float64 CODEC(ZSTD(1)),
    status_code      UInt16 CODEC(ZSTD(1)),
    method           LowCardinality(String),
    path             LowCardinality(String),
    request_id       String CODEC(ZSTD(1)),
    profile_id       String CODEC(ZSTD(1))
)
ENGINE = {engine}MergeTree
PARTITION BY toDate(at)
ORDER BY (org_id, service, at)
SETTINGS non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

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
    durations        AggregateFunction(quantilesTDigest(0.5, 0.95, 0.99), Float64) CODEC(ZSTD(1))
)
ENGINE = {engine}AggregatingMergeTree
PARTITION BY toDate(minute)
ORDER BY (org_id, service, minute, path, method, status_class)
SETTINGS non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

-- status_class: 2 for 2xx and so on, 0 for anything that is not a status.
CREATE MATERIALIZED VIEW IF NOT EXISTS http_totals_1m_feed {on_cluster} TO http_totals_1m AS
SELECT org_id, service, method, path, status_class, minute, count() AS requests,
    sum(seconds) AS duration_seconds, quantilesTDigestState(0.5, 0.95, 0.99)(seconds) AS durations
FROM
(
    SELECT org_id, service, method, path, duration_seconds AS seconds, toStartOfMinute(at) AS minute,
        toUInt8(if(status_code BETWEEN 100 AND 599, intDiv(status_code, 100), 0)) AS status_class
    FROM http_requests
)
GROUP BY org_id, service, method, path, status_class, minute;
