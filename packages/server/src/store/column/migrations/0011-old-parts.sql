-- Parts that merges replaced stay for copies of the folder that are being made (docs/backups.md). Each takes memory and files: at 30
-- uploads a second there were 8000 of them after 8 minutes, a fifth of the engine's memory.

ALTER TABLE profiles {on_cluster} MODIFY SETTING old_parts_lifetime = 240;
ALTER TABLE payloads {on_cluster} MODIFY SETTING old_parts_lifetime = 240;
ALTER TABLE stacks {on_cluster} MODIFY SETTING old_parts_lifetime = 240;
ALTER TABLE frames {on_cluster} MODIFY SETTING old_parts_lifetime = 240;
ALTER TABLE rolled_hours {on_cluster} MODIFY SETTING old_parts_lifetime = 240;
ALTER TABLE stack_totals_1h {on_cluster} MODIFY SETTING old_parts_lifetime = 240;
ALTER TABLE type_totals_1m {on_cluster} MODIFY SETTING old_parts_lifetime = 240;
ALTER TABLE profile_totals_1h {on_cluster} MODIFY SETTING old_parts_lifetime = 240;
ALTER TABLE http_requests {on_cluster} MODIFY SETTING old_parts_lifetime = 240;
ALTER TABLE http_totals_1m {on_cluster} MODIFY SETTING old_parts_lifetime = 240;
ALTER TABLE http_totals_1h {on_cluster} MODIFY SETTING old_parts_lifetime = 240;
ALTER TABLE http_service_totals_1m {on_cluster} MODIFY SETTING old_parts_lifetime = 240;
