-- Whether an organization requires a second factor of its members.
ALTER TABLE organizations ADD COLUMN requires_second_factor integer DEFAULT 0 NOT NULL;
