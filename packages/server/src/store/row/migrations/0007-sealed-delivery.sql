-- Rows from before hold plain text; sealDeliverySecrets encrypts them at the next start.
ALTER TABLE alert_settings ADD COLUMN is_sealed integer DEFAULT 0 NOT NULL;
