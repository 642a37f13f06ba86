-- Alerts and their history, their delivery, and leases of jobs.
CREATE TABLE alerts (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  service text NOT NULL,
  type text NOT NULL,
  sample_type text NOT NULL,
  profile_id text NOT NULL,
  opened_at text NOT NULL,
  resolved_at text,
  previous_value double precision NOT NULL,
  current_value double precision NOT NULL,
  increase double precision NOT NULL,
  baseline_from text NOT NULL,
  baseline_to text NOT NULL,
  current_from text NOT NULL,
  current_to text NOT NULL,
  functions text NOT NULL,
  reference text NOT NULL
);
CREATE INDEX alerts_by_org ON alerts (org_id, opened_at, id);
CREATE UNIQUE INDEX alerts_open_once ON alerts (org_id, service, type, sample_type) WHERE resolved_at IS NULL;
CREATE TABLE alert_mutes (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  service text NOT NULL,
  type text NOT NULL,
  muted_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at text NOT NULL,
  CONSTRAINT alert_mutes_pk PRIMARY KEY (org_id, service, type)
);
CREATE TABLE alert_progress (
  org_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  evaluated_to text NOT NULL,
  looked_at text NOT NULL
);
CREATE TABLE alert_settings (
  org_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  webhook_url text,
  webhook_secret text,
  slack_url text,
  emails text NOT NULL,
  updated_at text NOT NULL
);
CREATE TABLE alert_deliveries (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  alert_id text NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  event text NOT NULL,
  channel text NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL,
  next_attempt_at text NOT NULL,
  last_error text,
  created_at text NOT NULL,
  delivered_at text,
  CONSTRAINT alert_deliveries_once UNIQUE (alert_id, event, channel)
);
CREATE INDEX alert_deliveries_due ON alert_deliveries (status, next_attempt_at);
CREATE TABLE job_leases (
  name text PRIMARY KEY,
  holder text NOT NULL,
  expires_at text NOT NULL
);
