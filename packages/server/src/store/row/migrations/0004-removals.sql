-- How long each organization keeps its data, and which services were removed.
ALTER TABLE organizations ADD COLUMN retention_days integer;
CREATE TABLE service_removals (
  id text PRIMARY KEY,
  org_id text NOT NULL,
  name text NOT NULL,
  removed_by text NOT NULL,
  removed_at text NOT NULL
);
