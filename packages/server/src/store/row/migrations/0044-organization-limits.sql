-- Limits that the operator set for an organization, a row for each; without one, the server's default applies.
CREATE TABLE organization_limits (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  value bigint NOT NULL,
  CONSTRAINT organization_limits_key PRIMARY KEY (org_id, name)
);
-- The price of a gigabyte of storage and a month: one row, or none.
CREATE TABLE storage_price (
  slot text NOT NULL PRIMARY KEY,
  per_gb_month double precision NOT NULL,
  currency text NOT NULL
);
