-- Organizations, people, their sessions, and API keys.
CREATE TABLE organizations (
  id text PRIMARY KEY,
  name text NOT NULL,
  is_demo integer DEFAULT 0 NOT NULL,
  suspended_at text,
  created_at text NOT NULL
);
CREATE TABLE users (
  id text PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  is_active integer DEFAULT 1 NOT NULL,
  is_verified integer DEFAULT 0 NOT NULL,
  created_at text NOT NULL,
  last_login_at text
);
CREATE TABLE memberships (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role text NOT NULL,
  created_at text NOT NULL,
  CONSTRAINT memberships_pk PRIMARY KEY (org_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);
CREATE TABLE sessions (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  created_at text NOT NULL,
  expires_at text NOT NULL,
  ended_at text
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE TABLE refresh_tokens (
  id text PRIMARY KEY,
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  token_hash text NOT NULL UNIQUE,
  created_at text NOT NULL,
  expires_at text NOT NULL,
  rotated_at text
);
CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session_id);
CREATE TABLE login_throttle (
  subject text PRIMARY KEY,
  failures integer NOT NULL,
  last_failure_at text NOT NULL,
  blocked_until text
);
CREATE TABLE api_keys (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  public_id text NOT NULL UNIQUE,
  secret_hash text NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  is_active integer DEFAULT 1 NOT NULL,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL,
  last_used_at text
);
CREATE INDEX api_keys_by_org ON api_keys (org_id, created_at);
