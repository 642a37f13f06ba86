-- The schedule of the summary of incidents of an organization, and its deliveries.
CREATE TABLE alert_digests (
  org_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  frequency text NOT NULL,
  hour_utc integer NOT NULL,
  weekday integer NOT NULL,
  channels text NOT NULL,
  is_sent_when_empty integer NOT NULL,
  next_at text NOT NULL,
  covered_to text NOT NULL
);
CREATE INDEX alert_digests_due ON alert_digests (next_at);
CREATE TABLE digest_deliveries (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  channel text NOT NULL,
  covered_to text NOT NULL,
  message text NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL,
  next_attempt_at text NOT NULL,
  last_error text,
  CONSTRAINT digest_deliveries_once UNIQUE (org_id, channel, covered_to)
);
CREATE INDEX digest_deliveries_due ON digest_deliveries (status, next_attempt_at);
