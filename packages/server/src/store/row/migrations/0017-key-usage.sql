-- The expiry of API keys, and what they send.
ALTER TABLE api_keys ADD COLUMN expires_at text;
CREATE TABLE api_key_usage (
  org_id text NOT NULL,
  key_id text NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  day text NOT NULL,
  profiles bigint NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT api_key_usage_key PRIMARY KEY (org_id, key_id, day)
);
CREATE TABLE api_key_refusals (
  org_id text NOT NULL,
  key_id text NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  day text NOT NULL,
  code text NOT NULL,
  count bigint NOT NULL,
  last_at text NOT NULL,
  last_message text NOT NULL,
  CONSTRAINT api_key_refusals_key PRIMARY KEY (org_id, key_id, day, code)
);
