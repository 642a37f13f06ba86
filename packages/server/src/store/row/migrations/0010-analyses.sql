-- Analyses and their queue, what people did with the advice, and what each organization used per day.
CREATE TABLE analyses (
  id text PRIMARY KEY,
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  service text NOT NULL,
  type text NOT NULL,
  display_type text NOT NULL,
  profile_id text,
  subject text NOT NULL,
  subject_from text NOT NULL,
  subject_to text NOT NULL,
  request_key text NOT NULL,
  options text NOT NULL,
  provider text NOT NULL,
  model text,
  status text NOT NULL,
  created_at text NOT NULL,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  started_at text,
  completed_at text,
  attempts integer NOT NULL,
  holder text,
  lease_expires_at text,
  result text,
  error text,
  processing_time_ms double precision,
  tokens_used integer NOT NULL
);
CREATE INDEX analyses_of_profile ON analyses (org_id, profile_id, created_at);
CREATE INDEX analyses_of_service ON analyses (org_id, service, display_type, created_at);
CREATE INDEX analyses_by_status ON analyses (status, created_at);
CREATE TABLE recommendation_feedback (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  service text NOT NULL,
  rule text NOT NULL,
  function text NOT NULL,
  category text NOT NULL,
  type text NOT NULL,
  state text NOT NULL,
  reason text,
  given_by text REFERENCES users (id) ON DELETE SET NULL,
  given_at text NOT NULL,
  subject_at text NOT NULL,
  effect text,
  measure_at text,
  CONSTRAINT recommendation_feedback_pk PRIMARY KEY (org_id, service, rule, function)
);
CREATE INDEX recommendation_feedback_due ON recommendation_feedback (state, measure_at);
CREATE TABLE analysis_usage (
  org_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  day text NOT NULL,
  analyses integer NOT NULL,
  model_calls integer NOT NULL,
  tokens double precision NOT NULL,
  CONSTRAINT analysis_usage_pk PRIMARY KEY (org_id, day)
);
