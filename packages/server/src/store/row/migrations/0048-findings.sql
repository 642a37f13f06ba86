-- Findings of the newest analyses, one row for a service, rule and function. The rows of recommendation_feedback say what people decided.
CREATE TABLE findings (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  service text NOT NULL,
  rule text NOT NULL,
  function text NOT NULL,
  display_type text NOT NULL,
  category text NOT NULL,
  is_current integer NOT NULL,
  first_seen_at text NOT NULL,
  last_seen_at text NOT NULL,
  analysis_id text NOT NULL,
  owner_id text REFERENCES users (id) ON DELETE SET NULL,
  priority text NOT NULL,
  unit text,
  in_use double precision NOT NULL,
  share double precision NOT NULL,
  saving double precision NOT NULL,
  finding text NOT NULL,
  CONSTRAINT findings_key UNIQUE (org_id, service, rule, function)
);
-- What a core and a GB of memory cost the organization a month; null without a price.
ALTER TABLE organizations ADD COLUMN core_month_price double precision;
ALTER TABLE organizations ADD COLUMN gb_month_price double precision;
ALTER TABLE organizations ADD COLUMN price_currency text;
