-- Merges wait for more parts of a size: a profile's lists are then rewritten about twice while its day fills and not four
-- times, which was a third of the engine's work. Parts that grow old are merged further all the same.

ALTER TABLE profiles {on_cluster} MODIFY SETTING merge_selector_base = 12;

ALTER TABLE type_totals_1m {on_cluster} MODIFY SETTING merge_selector_base = 12;
