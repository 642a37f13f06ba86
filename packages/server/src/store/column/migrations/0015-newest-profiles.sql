-- The rows of lists a second time, by time alone: when thousands of services send at once, the newest fifty profiles lie in as many places
-- of the table, which is ordered by service. A removal drops the second rows of the parts that it changes, whose rows are then read in the
-- order of the table; with "rebuild", removed rows stayed visible in them (ClickHouse 26.7). Parts with and without them are never merged.

ALTER TABLE profiles {on_cluster} MODIFY SETTING lightweight_mutation_projection_mode = 'drop';

ALTER TABLE profiles {on_cluster} ADD PROJECTION IF NOT EXISTS newest
(
    SELECT org_id, service, type, started_at, profile_id, received_at, duration_ns, tags, facts, sample_types, totals,
        sample_count, stack_count, original_bytes, content_hash, trimmed
    ORDER BY org_id, started_at, profile_id
);
