-- Merges take one column at a time: the lists of stacks and values make a row tens of kilobytes, and merging all columns
-- at once took the engine a tenth more memory under load.

ALTER TABLE profiles {on_cluster} MODIFY SETTING
    vertical_merge_algorithm_min_rows_to_activate = 1, vertical_merge_algorithm_min_columns_to_activate = 1;
