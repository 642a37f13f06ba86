-- Projects, and the changes made to projects that are derived from services.
CREATE TABLE projects (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text NOT NULL,
  status text NOT NULL,
  tags text NOT NULL,
  member_count integer NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL
);
CREATE INDEX projects_by_org ON projects (org_id);
CREATE TABLE derived_projects (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  service text NOT NULL,
  name text,
  description text,
  status text,
  tags text,
  is_hidden integer DEFAULT 0 NOT NULL,
  updated_at text NOT NULL,
  CONSTRAINT derived_projects_pk PRIMARY KEY (org_id, service)
);
