-- Labels of samples, in the row of their profile: they are visible, removed and sent again with it. A stack whose samples have
-- several sets of labels is in `stacks` once for each of them, so that queries that do not ask for labels sum as before.
--
-- sample_sets is parallel to stacks: 0 for samples without labels, n for label_sets[n]; empty if no sample has a label.
-- label_totals has the sum of each set by sample type. A value "" in a set stands for values that a limit folded.
-- labels_recorded is 0 for profiles from before this migration, and where the labels could not be told apart.

ALTER TABLE profiles {on_cluster}
    ADD COLUMN IF NOT EXISTS labels_recorded UInt8 DEFAULT 0 CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS label_sets Array(Map(LowCardinality(String), String)) CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS sample_sets Array(UInt16) CODEC(ZSTD(1)),
    ADD COLUMN IF NOT EXISTS label_totals Array(Array(Int64)) CODEC(ZSTD(1));
