-- People as an OpenID Connect provider knows them.
CREATE TABLE identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at text NOT NULL,
  CONSTRAINT identities_key PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_by_user ON identities (user_id);
