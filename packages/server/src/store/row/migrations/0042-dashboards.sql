-- Dashboards of an organization, and their latest versions.
CREATE TABLE dashboards (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  id text NOT NULL,
  version integer NOT NULL,
  created_at text NOT NULL,
  CONSTRAINT dashboards_pk PRIMARY KEY (org_id, id)
);
CREATE TABLE dashboard_versions (
  org_id text NOT NULL,
  dashboard_id text NOT NULL,
  version integer NOT NULL,
  definition text NOT NULL,
  saved_by text REFERENCES users (id) ON DELETE SET NULL,
  saved_at text NOT NULL,
  CONSTRAINT dashboard_versions_pk PRIMARY KEY (org_id, dashboard_id, version),
  CONSTRAINT dashboard_versions_of FOREIGN KEY (org_id, dashboard_id) REFERENCES dashboards (org_id, id) ON DELETE CASCADE
);
