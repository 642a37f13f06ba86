-- How the profile is filed, beside its bytes: who draws them need not look the profile up first. Empty for those before.

ALTER TABLE payloads {on_cluster} ADD COLUMN IF NOT EXISTS type LowCardinality(String);
