-- Token buckets replace the counts of failed sign-ins; the counts of the last hour are forgotten once.
CREATE TABLE token_buckets (
  subject text PRIMARY KEY,
  full_at_ms bigint NOT NULL
);
CREATE INDEX token_buckets_by_full_at ON token_buckets (full_at_ms);
CREATE TABLE known_addresses (
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  address_hash text NOT NULL,
  last_used_at text NOT NULL,
  CONSTRAINT known_addresses_pk PRIMARY KEY (user_id, address_hash)
);
CREATE INDEX known_addresses_by_last_used ON known_addresses (last_used_at);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);
DROP TABLE login_throttle;
