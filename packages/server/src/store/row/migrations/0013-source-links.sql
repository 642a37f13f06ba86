-- Where the source of a service is.
CREATE TABLE source_links (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  service text NOT NULL,
  url_pattern text NOT NULL,
  path_prefix text NOT NULL,
  updated_at text NOT NULL,
  CONSTRAINT source_links_pk PRIMARY KEY (org_id, service)
);
