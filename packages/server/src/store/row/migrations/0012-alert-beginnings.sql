-- When the rise of an alert began. Unknown for earlier alerts.
ALTER TABLE alerts ADD COLUMN began_at text;
