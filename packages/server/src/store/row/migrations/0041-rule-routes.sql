-- A rule about requests may be about one route.
ALTER TABLE alert_rules ADD COLUMN route text;
