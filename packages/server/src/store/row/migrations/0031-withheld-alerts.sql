-- Alerts that opened while they were muted, so that their message follows when the mute ends.
ALTER TABLE alerts ADD COLUMN withheld_at text;
ALTER TABLE alerts ADD COLUMN unmuted_at text;
