-- Where a record stands in conversation and time, and who said it: see engine/settings.py. Rows from before have neither.
ALTER TABLE feature ADD COLUMN setting BYTEA, ADD COLUMN speaker TEXT;
