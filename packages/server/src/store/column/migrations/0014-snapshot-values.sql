-- A snapshot of counters adds what they grew by (values). Where its bytes are not kept, these are its values as they were sent: a
-- pprof can be made of them, and the next snapshot is compared with them. Empty in all other rows.

ALTER TABLE profiles {on_cluster}
    ADD COLUMN IF NOT EXISTS snapshot_stacks Array(UInt64) CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS snapshot_values Array(Array(Int64)) CODEC(ZSTD(1));
