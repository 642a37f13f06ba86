-- Links to profiles that were opened from a file without an account.
CREATE TABLE opened_files (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  token_hash text NOT NULL UNIQUE,
  file text NOT NULL,
  service text NOT NULL,
  type text NOT NULL,
  from_at text NOT NULL,
  to_at text NOT NULL,
  profile_id text NOT NULL,
  expires_at text NOT NULL
);
CREATE INDEX opened_files_by_org ON opened_files (org_id);
CREATE INDEX opened_files_by_expiry ON opened_files (expires_at);
