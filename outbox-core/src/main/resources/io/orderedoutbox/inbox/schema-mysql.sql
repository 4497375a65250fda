-- Table of the inbox for MySQL 8.0.17 and newer.
--
-- Every statement can be repeated. Hand this file to Flyway or Liquibase as it is; with another name
-- (outbox.inbox.table) replace "inbox_message" everywhere.

-- One row for each message that a consumer has processed, until it is older than outbox.inbox.retention.
CREATE TABLE IF NOT EXISTS inbox_message (
  consumer     VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'who has processed it',
  message_id   VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
  processing_id BIGINT      NOT NULL COMMENT 'random: tells a processing from another one of the same message',
  processed_at DATETIME(6)  NOT NULL COMMENT 'UTC, by the clock of the database',
  PRIMARY KEY (consumer, message_id),
  KEY inbox_message_age (processed_at)
) ENGINE = InnoDB;
