-- The services of a project that is a group of them: a JSON array of names. Empty: the service of the project's name.
ALTER TABLE projects ADD COLUMN services text DEFAULT '[]' NOT NULL;
