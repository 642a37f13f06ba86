-- Passkeys, and the challenges that browsers sign with them.
CREATE TABLE passkeys (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id text NOT NULL UNIQUE,
  public_key text NOT NULL,
  counter bigint NOT NULL,
  transports text NOT NULL,
  name text NOT NULL,
  created_at text NOT NULL,
  last_used_at text
);
CREATE INDEX passkeys_by_user ON passkeys (user_id);
CREATE TABLE passkey_challenges (
  challenge_hash text PRIMARY KEY,
  purpose text NOT NULL,
  user_id text REFERENCES users (id) ON DELETE CASCADE,
  expires_at text NOT NULL
);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);
