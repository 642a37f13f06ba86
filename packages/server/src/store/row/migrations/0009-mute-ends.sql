-- When a mute ends by itself. Earlier mutes last until they are removed.
ALTER TABLE alert_mutes ADD COLUMN until text;
