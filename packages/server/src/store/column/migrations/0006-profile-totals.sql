-- What profiles come to by the hour, written by roll-up-profiles.ts when an hour is over. It takes the place of
-- readings_1h and service_days: their views cost every insert as much as storing the profiles did.
--
-- A row holds whole profiles. It counts only where all rows of its day, or of its hour, hold as many profiles as are
-- stored; until then readers look at `profiles`. So it is never wrong, only absent.
--
-- One figure of a profile is amount / weight: CPU percent (the weight is the duration, so that the mean is CPU time
-- over time), or heap in use. Allocations are profiles that allocated since the one before. bins is a histogram of CPU
-- percent or of what was allocated: bin n holds (1.02^(n-1), 1.02^n], bin -32768 zero.

DROP VIEW IF EXISTS readings_1h_feed {on_cluster};

DROP VIEW IF EXISTS service_days_feed {on_cluster};

DROP TABLE IF EXISTS readings_1h {on_cluster};

DROP TABLE IF EXISTS service_days {on_cluster};

CREATE TABLE IF NOT EXISTS profile_totals_1h {on_cluster}
(
    org_id         UUID,
    service        LowCardinality(String),
    type           LowCardinality(String),
    hour           DateTime('UTC') CODEC(Delta(4), ZSTD(1)),
    profiles       UInt64 CODEC(ZSTD(1)),
    earliest       DateTime64(3, 'UTC') CODEC(ZSTD(1)),
    latest         DateTime64(3, 'UTC') CODEC(ZSTD(1)),
    samples        Int64 CODEC(ZSTD(1)),
    duration_ms    Float64 CODEC(ZSTD(1)),
    amount         Float64 CODEC(ZSTD(1)),
    weight         Float64 CODEC(ZSTD(1)),
    peak           Float64 CODEC(ZSTD(1)),
    allocated      Float64 CODEC(ZSTD(1)),
    allocations    UInt64 CODEC(ZSTD(1)),
    peak_allocated Float64 CODEC(ZSTD(1)),
    bins           Array(Int16) CODEC(ZSTD(1)),
    bin_profiles   Array(UInt64) CODEC(ZSTD(1))
)
ENGINE = {engine}MergeTree
PARTITION BY toDate(hour)
ORDER BY (org_id, service, type, hour)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1,
    min_compressed_bytes_to_fsync_after_merge = 1, old_parts_lifetime = 480;

-- Hours that are over, as roll-up-profiles.ts writes them; emptied first, for a migration that was cut off.
TRUNCATE TABLE profile_totals_1h {on_cluster};

INSERT INTO profile_totals_1h (org_id, service, type, hour, profiles, earliest, latest, samples, duration_ms, amount,
    weight, peak, allocated, allocations, peak_allocated, bins, bin_profiles)
SELECT org_id, service, type, hour, profiles, earliest, latest, samples, duration_ms, amount, weight, peak, allocated,
    allocations, peak_allocated, histogram.1, histogram.2
FROM
(
    SELECT org_id, service, type, hour, count() AS profiles, min(started_at) AS earliest, max(started_at) AS latest,
        sum(sampled) AS samples, sum(profile_ms) AS duration_ms, sumIf(figure, share > 0) AS amount,
        sum(share) AS weight, maxIf(figure / share, share > 0) AS peak, sum(allocation) AS allocated,
        countIf(allocation > 0) AS allocations, max(allocation) AS peak_allocated,
        sumMapIf([bin], [toUInt64(1)], is_spread) AS histogram
    FROM
    (
        SELECT org_id, service, type, started_at, toStartOfHour(started_at) AS hour, duration_ns / 1e6 AS profile_ms,
            if(has(sample_types, 'samples/count'), deltas_totals[indexOf(sample_types, 'samples/count')],
                toInt64(sample_count)) AS sampled,
            multiIf(type = 'cpu', 100. * deltas_totals[indexOf(sample_types, 'cpu/nanoseconds')],
                type = 'memory', toFloat64(deltas_totals[indexOf(sample_types, 'inuse_space/bytes')]), 0.) AS figure,
            multiIf(type = 'cpu' AND has(sample_types, 'cpu/nanoseconds'), toFloat64(duration_ns),
                type = 'memory' AND has(sample_types, 'inuse_space/bytes'), 1., 0.) AS share,
            if(type = 'memory', greatest(0., toFloat64(deltas_totals[indexOf(sample_types, 'alloc_space/bytes')])),
                0.) AS allocation,
            if(type = 'cpu', if(share > 0, figure / share, 0.), allocation) AS spread,
            if(spread > 0, toInt16(ceil(log(spread) / log(1.02))), toInt16(-32768)) AS bin,
            if(type = 'cpu', share > 0, allocation > 0) AS is_spread
        FROM profiles
        WHERE started_at < toStartOfHour(now())
    )
    GROUP BY org_id, service, type, hour
)
SETTINGS max_partitions_per_insert_block = 0, max_bytes_before_external_group_by = 100000000, insert_deduplicate = 0;
