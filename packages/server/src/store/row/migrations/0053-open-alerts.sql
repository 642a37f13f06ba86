-- Counts of open alerts read no resolved ones: those of years stay.
CREATE INDEX alerts_open ON alerts (org_id, service) WHERE resolved_at IS NULL;
