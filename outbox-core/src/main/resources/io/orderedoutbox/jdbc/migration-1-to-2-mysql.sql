-- From the tables of "outbox schema 1" to those of "outbox schema 2", for MySQL 8.0.17 and newer: see docs/migration.md.
--
-- Run it while no instance writes and none relays. With another table prefix (outbox.jdbc.table-prefix) replace
-- "outbox_" everywhere. Every statement but the first and the last ALTER TABLE can be repeated.
-- Positions stay as they are, and with them the order of the messages.

ALTER TABLE outbox_message
  ADD COLUMN lane BIGINT NOT NULL DEFAULT 0 COMMENT 'the partition; below zero: the lane of a parked key' FIRST;

-- A message goes to the partition of its key. One without a key goes to any.
UPDATE outbox_message
SET lane = IF(partition_key = '', CRC32(message_id), CRC32(partition_key)) % 64;

CREATE TABLE IF NOT EXISTS outbox_partition (
  id            SMALLINT UNSIGNED NOT NULL,
  retry_at      DATETIME(6)   NULL COMMENT 'UTC, the least available_at of its parked keys; null: none is parked',
  PRIMARY KEY (id)
) ENGINE = InnoDB;

INSERT IGNORE INTO outbox_partition (id)
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < 64)
SELECT i FROM n ORDER BY 1;

DELETE FROM outbox_stripe WHERE id >= 64;

-- A key is parked if its oldest message has failed or is not due. A message without a key is parked by itself.
CREATE TABLE IF NOT EXISTS outbox_parked (
  lane          BIGINT        NOT NULL COMMENT 'where its messages are: the negative position of the message that was its head then',
  partition_id  SMALLINT UNSIGNED NOT NULL COMMENT 'the partition that the key belongs to',
  key_hash      INT UNSIGNED  NOT NULL COMMENT 'CRC32(partition_key)',
  partition_key VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
  available_at  DATETIME(6)   NOT NULL COMMENT 'UTC; nothing of the key is sent before; year 9999: blocked',
  is_delayed    BOOLEAN       NOT NULL DEFAULT FALSE COMMENT 'whether its head has not failed, but is not to be sent before its time',
  PRIMARY KEY (lane),
  KEY outbox_parked_key (partition_id, key_hash),
  KEY outbox_parked_due (partition_id, available_at),
  KEY outbox_parked_delayed (is_delayed, lane)
) ENGINE = InnoDB;

DELETE FROM outbox_parked;

INSERT INTO outbox_parked (lane, partition_id, key_hash, partition_key, available_at)
SELECT -m.id, m.lane, CRC32(m.partition_key), m.partition_key, m.available_at
FROM (SELECT MIN(id) AS id FROM outbox_message WHERE partition_key <> '' GROUP BY partition_key) h
JOIN outbox_message m ON m.id = h.id
WHERE m.failed_at IS NOT NULL OR m.available_at > UTC_TIMESTAMP(6);

INSERT INTO outbox_parked (lane, partition_id, key_hash, partition_key, available_at)
SELECT -m.id, m.lane, CRC32(m.partition_key), m.partition_key, m.available_at
FROM outbox_message m
WHERE m.partition_key = '' AND (m.failed_at IS NOT NULL OR m.available_at > UTC_TIMESTAMP(6));

UPDATE outbox_message m JOIN outbox_parked k ON k.partition_key = m.partition_key
SET m.lane = k.lane
WHERE k.partition_key <> '';

UPDATE outbox_message m JOIN outbox_parked k ON m.id = -k.lane
SET m.lane = k.lane
WHERE k.partition_key = '';

UPDATE outbox_partition p
SET p.retry_at = (SELECT MIN(k.available_at) FROM outbox_parked k WHERE k.partition_id = p.id);

-- The instances, so that they know of one another.
CREATE TABLE IF NOT EXISTS outbox_instance (
  id            CHAR(36)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'another one after each start',
  host          VARCHAR(190)  CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL,
  pid           BIGINT        NOT NULL,
  ordered       BOOLEAN       NOT NULL COMMENT 'outbox.ordered of the instance',
  started_at    DATETIME(6)   NOT NULL COMMENT 'UTC, when the instance started',
  heartbeat_at  DATETIME(6)   NOT NULL COMMENT 'UTC, when it said so',
  sending       MEDIUMTEXT    CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'positions of messages that may have ended a process, while they are sent again',
  PRIMARY KEY (id)
) ENGINE = InnoDB;

-- What operators have done, and who did it. It may be missing: then only the log tells.
CREATE TABLE IF NOT EXISTS outbox_audit (
  id            BIGINT        NOT NULL AUTO_INCREMENT,
  done_at       DATETIME(6)   NOT NULL COMMENT 'UTC, by the clock of the database',
  operator      VARCHAR(190)  CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NULL COMMENT 'null: not known',
  verb          VARCHAR(20)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  selection     VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL COMMENT 'to what, in words',
  affected      BIGINT        NOT NULL COMMENT 'how many messages were changed',
  passed_over   BIGINT        NOT NULL,
  error         VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NULL COMMENT 'null: nothing went wrong',
  PRIMARY KEY (id)
) ENGINE = InnoDB;

DROP TABLE IF EXISTS outbox_failed;

ALTER TABLE outbox_message
  DROP PRIMARY KEY,
  ADD PRIMARY KEY (lane, id),
  ADD KEY outbox_message_id (id),
  DROP KEY outbox_message_key,
  ALTER COLUMN lane DROP DEFAULT,
  MODIFY COLUMN id BIGINT NOT NULL AUTO_INCREMENT COMMENT 'position: within a partition the order of commits',
  MODIFY COLUMN available_at DATETIME(6) NOT NULL COMMENT 'UTC, since when it may be sent; for a parked key see outbox_parked',
  COMMENT = 'outbox schema 2';
