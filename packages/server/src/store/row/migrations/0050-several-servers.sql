-- A lease counts its holders. Work of an earlier one is recognized by its lower term.
ALTER TABLE job_leases ADD COLUMN term integer NOT NULL DEFAULT 0;

-- Values that all processes of an installation must have in common.
CREATE TABLE installation_facts (
  name text NOT NULL CONSTRAINT installation_facts_key PRIMARY KEY,
  value text NOT NULL
);

-- Counts changes after which caches of other processes are wrong.
CREATE TABLE change_counters (
  name text NOT NULL CONSTRAINT change_counters_key PRIMARY KEY,
  value bigint NOT NULL
);
