-- Invitations, the operator, deletions of organizations, and the organization that a person used last.
CREATE TABLE invitations (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  token_hash text NOT NULL UNIQUE,
  email text,
  role text NOT NULL,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at text NOT NULL,
  expires_at text NOT NULL
);
CREATE INDEX invitations_by_org ON invitations (org_id);
CREATE INDEX invitations_by_expiry ON invitations (expires_at);
CREATE TABLE operators (
  slot text PRIMARY KEY,
  user_id text REFERENCES users (id) ON DELETE SET NULL
);
INSERT INTO operators (slot, user_id) SELECT 'first', id FROM users ORDER BY created_at, id LIMIT 1;
CREATE TABLE organization_removals (
  org_id text PRIMARY KEY,
  name text NOT NULL,
  removed_by text NOT NULL,
  removed_at text NOT NULL,
  finished_at text
);
ALTER TABLE users ADD COLUMN last_org_id text;
