-- Alerts of one service that began together are one incident, which has the id of its first alert. Each alert of earlier
-- versions is an incident with one signal.
ALTER TABLE alerts ADD COLUMN incident_id text;
UPDATE alerts SET incident_id = id;
ALTER TABLE alerts ADD COLUMN circumstances text;
CREATE INDEX alerts_by_incident ON alerts (org_id, incident_id);
