-- Authenticator apps, recovery codes, and sign-ins that wait for one of them.
CREATE TABLE totp_secrets (
  user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  secret text NOT NULL,
  created_at text NOT NULL,
  confirmed_at text,
  last_step integer DEFAULT 0 NOT NULL
);
CREATE TABLE recovery_codes (
  code_hash text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at text NOT NULL,
  used_at text
);
CREATE INDEX recovery_codes_by_user ON recovery_codes (user_id);
CREATE TABLE sign_in_challenges (
  token_hash text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  password_mark text NOT NULL,
  expires_at text NOT NULL
);
CREATE INDEX sign_in_challenges_by_expiry ON sign_in_challenges (expires_at);
