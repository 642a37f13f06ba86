-- What each set of labels added in an hour, by stack and by minute: summed when the hour is over, as stack_totals_1h is. Only
-- for hours that have samples with labels.
--
-- A row for each sample type and set. set_id 0 are the samples without labels; they have a row in every hour, because it also counts
-- the profiles of each minute and their duration. Profiles whose labels were not recorded have rows of set 0 with labels_recorded 0.
-- rolled_label_hours says how many profiles a version summed, and whether it has rows: an hour with too many sets has none.
CREATE TABLE IF NOT EXISTS label_totals_1h {on_cluster}
(
    org_id          UUID,
    service         LowCardinality(String),
    type            LowCardinality(String),
    sample_type     LowCardinality(String),
    hour            DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
    labels_recorded UInt8,
    set_id          UInt64 CODEC(ZSTD(1)),
    label_set       Map(LowCardinality(String), String) CODEC(ZSTD(1)),
    stacks          Array(UInt64) CODEC(ZSTD(1)),
    values          Array(Int64) CODEC(ZSTD(1)),
    minutes         Array(UInt8) CODEC(ZSTD(1)),
    minute_totals   Array(Int64) CODEC(ZSTD(1)),
    minute_profiles Array(UInt64) CODEC(ZSTD(1)),
    minute_durations Array(UInt64) CODEC(ZSTD(1)),
    version         UInt64 CODEC(ZSTD(1))
)
ENGINE = {engine}ReplacingMergeTree(version)
PARTITION BY toDate(hour)
ORDER BY (org_id, service, type, sample_type, hour, labels_recorded, set_id)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 60;

CREATE TABLE IF NOT EXISTS rolled_label_hours {on_cluster}
(
    org_id   UUID,
    service  LowCardinality(String),
    type     LowCardinality(String),
    hour     DateTime('UTC'),
    version  UInt64,
    profiles UInt64,
    has_rows UInt8
)
ENGINE = {engine}ReplacingMergeTree(version)
PARTITION BY toDate(hour)
ORDER BY (org_id, service, type, hour)
SETTINGS non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 60;
