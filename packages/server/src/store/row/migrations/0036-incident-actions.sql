-- Assignees of incidents, and comments on them. Both are removed with the first alert, whose id the incident has.
CREATE TABLE incident_assignments (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  incident_id text NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  assigned_to text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  assigned_at text NOT NULL,
  CONSTRAINT incident_assignments_pk PRIMARY KEY (org_id, incident_id)
);
CREATE TABLE incident_comments (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  incident_id text NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  written_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at text NOT NULL,
  text text NOT NULL
);
CREATE INDEX incident_comments_by_incident ON incident_comments (org_id, incident_id, created_at);
