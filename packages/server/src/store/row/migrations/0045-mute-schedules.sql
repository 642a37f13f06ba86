-- JSON: the weekdays, the times and the time zone of a mute that recurs; null if it does not.
ALTER TABLE alert_mutes ADD COLUMN schedule text;
