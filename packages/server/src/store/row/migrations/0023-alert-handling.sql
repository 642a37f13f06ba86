-- Acknowledgement and acceptance of alerts. The alerts themselves are written by evaluations only.
CREATE TABLE alert_handling (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  alert_id text NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  acknowledged_by text REFERENCES users (id) ON DELETE SET NULL,
  acknowledged_at text,
  expected_by text REFERENCES users (id) ON DELETE SET NULL,
  expected_at text,
  CONSTRAINT alert_handling_pk PRIMARY KEY (org_id, alert_id)
);
CREATE INDEX alert_handling_by_expected ON alert_handling (org_id, expected_at);
