-- Whether the others have agreed that the process owns services. Servers of the version before do not ask them, and leave the default.
ALTER TABLE cluster_members ADD COLUMN joined integer NOT NULL DEFAULT 1;
