-- The scope of an API key. Earlier keys send profiles.
ALTER TABLE api_keys ADD COLUMN scope text DEFAULT 'ingest' NOT NULL;
