-- Tables of the inbox for MySQL 8.0.17 and newer.
--
-- Every statement can be repeated. Hand this file to Flyway or Liquibase as it is; with another name
-- (outbox.inbox.table) replace "inbox_message" everywhere, and "inbox_dead_letter" with that of
-- outbox.inbox.dead-letter-table.

-- One row for each message that a consumer has processed, until it is older than outbox.inbox.retention.
CREATE TABLE IF NOT EXISTS inbox_message (
  consumer     VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'who has processed it',
  message_id   VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
  processing_id BIGINT      NOT NULL COMMENT 'random: tells a processing from another one of the same message',
  processed_at DATETIME(6)  NOT NULL COMMENT 'UTC, by the clock of the database',
  PRIMARY KEY (consumer, message_id),
  KEY inbox_message_age (processed_at)
) ENGINE = InnoDB COMMENT = 'inbox schema 1';

-- Used with outbox.rabbit.shards.retry.on-exhausted=dead-letter-sequence only. One row for each dead letter
-- that others of its partition, or partition key, follow, until it was processed. The message itself is in
-- the queue of dead letters.
CREATE TABLE IF NOT EXISTS inbox_dead_letter (
  position     BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
  shards       VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL COMMENT 'outbox.rabbit.shards.name',
  ordering_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL COMMENT 'what is processed in order',
  message_id   VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
  created_at   DATETIME(6)  NOT NULL COMMENT 'UTC, by the clock of the database',
  UNIQUE KEY inbox_dead_letter_message (shards, ordering_key, message_id),
  KEY inbox_dead_letter_sequence (shards, ordering_key, position)
) ENGINE = InnoDB;
