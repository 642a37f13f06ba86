-- Tokens of links in mail, and where sessions were used. Earlier sessions have no address until their next use.
CREATE TABLE mail_tokens (
  token_hash text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose text NOT NULL,
  created_at text NOT NULL,
  expires_at text NOT NULL,
  used_at text
);
CREATE INDEX mail_tokens_by_user ON mail_tokens (user_id, purpose);
CREATE INDEX mail_tokens_by_expiry ON mail_tokens (expires_at);
ALTER TABLE sessions ADD COLUMN user_agent text;
ALTER TABLE sessions ADD COLUMN address text;
ALTER TABLE sessions ADD COLUMN last_used_at text;
