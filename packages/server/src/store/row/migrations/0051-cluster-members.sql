-- The server processes that share this database and a ClickHouse. Each writes its time of this database every few seconds.
CREATE TABLE cluster_members (
  id text NOT NULL CONSTRAINT cluster_members_key PRIMARY KEY,
  address text NOT NULL,
  version text NOT NULL,
  started_at text NOT NULL,
  seen_at text NOT NULL
);
