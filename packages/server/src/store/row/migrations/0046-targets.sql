-- Targets from which the server pulls profiles, and the state of their scrapes.
CREATE TABLE targets (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  id text NOT NULL,
  definition text NOT NULL,
  headers text NOT NULL,
  is_enabled integer NOT NULL,
  changed_at text NOT NULL,
  CONSTRAINT targets_key PRIMARY KEY (org_id, id)
);
CREATE TABLE target_states (
  org_id text NOT NULL,
  target_id text NOT NULL,
  state text NOT NULL,
  CONSTRAINT target_states_key PRIMARY KEY (org_id, target_id),
  CONSTRAINT target_states_of FOREIGN KEY (org_id, target_id) REFERENCES targets (org_id, id) ON DELETE CASCADE
);
