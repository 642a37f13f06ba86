-- When a service's deletion ended. Earlier deletions count as finished.
ALTER TABLE service_removals ADD COLUMN finished_at text;
UPDATE service_removals SET finished_at = removed_at;
