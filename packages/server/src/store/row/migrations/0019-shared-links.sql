-- Public links to flame graphs, and whether an organization allows them.
ALTER TABLE organizations ADD COLUMN allows_public_links integer DEFAULT 0 NOT NULL;
CREATE TABLE shared_links (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  token_hash text NOT NULL UNIQUE,
  service text NOT NULL,
  type text NOT NULL,
  from_at text NOT NULL,
  to_at text NOT NULL,
  graph text NOT NULL,
  look text NOT NULL,
  created_by text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at text NOT NULL,
  expires_at text NOT NULL,
  last_opened_at text
);
CREATE INDEX shared_links_by_org ON shared_links (org_id, created_at);
CREATE INDEX shared_links_by_expiry ON shared_links (expires_at);
