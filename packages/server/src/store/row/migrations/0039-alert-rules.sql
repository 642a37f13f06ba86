-- Thresholds that people set. An alert of a rule may be open at the same time as one of the detector about the same series.
CREATE TABLE alert_rules (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  service text NOT NULL,
  signal text NOT NULL,
  profile_type text,
  sample_type text,
  tags text NOT NULL,
  comparison text NOT NULL,
  threshold double precision NOT NULL,
  minutes integer NOT NULL,
  severity text NOT NULL,
  is_enabled integer NOT NULL,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at text NOT NULL,
  defined_at text NOT NULL,
  CONSTRAINT alert_rules_pk PRIMARY KEY (org_id, id)
);
CREATE TABLE alert_rule_progress (
  org_id text PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
  evaluated_to text NOT NULL
);
ALTER TABLE alerts ADD COLUMN rule_id text;
ALTER TABLE alerts ADD COLUMN rule text;
ALTER TABLE alerts ADD COLUMN severity text;
DROP INDEX alerts_open_once;
CREATE UNIQUE INDEX alerts_open_once ON alerts (org_id, service, type, sample_type)
  WHERE resolved_at IS NULL AND rule_id IS NULL;
CREATE UNIQUE INDEX alerts_rule_open_once ON alerts (org_id, rule_id)
  WHERE resolved_at IS NULL AND rule_id IS NOT NULL;
