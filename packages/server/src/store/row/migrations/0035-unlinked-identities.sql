-- An unlinked identity keeps its row: otherwise its next sign-in would link it again by its address.
ALTER TABLE identities ADD COLUMN unlinked_at text;
