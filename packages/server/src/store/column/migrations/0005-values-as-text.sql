-- Values come as lists of numbers now: words in base64 cost the engine a quarter more per profile.

ALTER TABLE profiles {on_cluster} MODIFY COLUMN values REMOVE DEFAULT;

ALTER TABLE profiles {on_cluster} DROP COLUMN IF EXISTS values_b64;
