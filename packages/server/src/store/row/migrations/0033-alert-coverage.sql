-- The sensitivity of the alerts of each service. It is stored so that any process can report it, also just after a start.
CREATE TABLE alert_coverage (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  service text NOT NULL,
  judged_at text NOT NULL,
  coverage text NOT NULL,
  CONSTRAINT alert_coverage_key PRIMARY KEY (org_id, service)
);
