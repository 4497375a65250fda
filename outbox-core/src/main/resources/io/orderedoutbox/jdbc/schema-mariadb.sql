-- Tables of the outbox for MariaDB 10.6 and newer.
--
-- Every statement can be repeated. Hand this file to Flyway or Liquibase as it is; with another table prefix
-- (outbox.jdbc.table-prefix) replace "outbox_" everywhere.

-- One row for each message that waits. On the healthy path rows are only inserted and deleted.
-- A message lies in the lane of its partition (0 and up). When a key is parked, its messages are moved to a lane of
-- their own, whose number is the negative position of the first of them: see outbox_parked.
CREATE TABLE IF NOT EXISTS outbox_message (
  lane          BIGINT        NOT NULL COMMENT 'the partition; below zero: the lane of a parked key',
  id            BIGINT        NOT NULL AUTO_INCREMENT COMMENT 'position: within a partition the order of commits',
  message_id    CHAR(36)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'the same on every delivery',
  name          VARCHAR(190)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'semantic type',
  partition_key VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL DEFAULT '' COMMENT 'empty: bound to no order',
  exchange      VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  routing_key   VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  content_type  VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  payload       LONGBLOB      NOT NULL,
  payload_size  INT UNSIGNED  GENERATED ALWAYS AS (LENGTH(payload)) STORED,
  headers       MEDIUMTEXT    CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NULL COMMENT 'JSON object of strings',
  created_at    DATETIME(6)   NOT NULL COMMENT 'UTC, by the clock of the database',
  available_at  DATETIME(6)   NOT NULL COMMENT 'UTC, since when it may be sent; for a parked key see outbox_parked',
  attempts      INT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'failed attempts to send it',
  last_error    VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NULL,
  failed_at     DATETIME(6)   NULL COMMENT 'UTC, when it last failed or was put off',
  PRIMARY KEY (lane, id),
  KEY outbox_message_id (id)
) ENGINE = InnoDB COMMENT = 'outbox schema 2';

-- One row for each parked key: its head has failed, was put off or is delayed, or it has so many messages that it hid others. Only a transaction that holds the lock on the row of its partition changes it.
CREATE TABLE IF NOT EXISTS outbox_parked (
  lane          BIGINT        NOT NULL COMMENT 'where its messages are: the negative position of the message that was its head then',
  partition_id  SMALLINT UNSIGNED NOT NULL COMMENT 'the partition that the key belongs to',
  key_hash      INT UNSIGNED  NOT NULL COMMENT 'CRC32(partition_key)',
  partition_key VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  available_at  DATETIME(6)   NOT NULL COMMENT 'UTC; nothing of the key is sent before; year 9999: blocked',
  is_delayed    BOOLEAN       NOT NULL DEFAULT FALSE COMMENT 'whether its head has not failed, but is not to be sent before its time',
  PRIMARY KEY (lane),
  KEY outbox_parked_key (partition_id, key_hash),
  KEY outbox_parked_due (partition_id, available_at),
  KEY outbox_parked_delayed (is_delayed, lane)
) ENGINE = InnoDB;

-- Messages that are no longer sent, until an operator says otherwise.
CREATE TABLE IF NOT EXISTS outbox_dead_letter (
  id            BIGINT        NOT NULL AUTO_INCREMENT COMMENT 'the order in which they were given up',
  position      BIGINT        NOT NULL COMMENT 'that it had in the outbox',
  message_id    CHAR(36)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name          VARCHAR(190)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  partition_key VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  exchange      VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  routing_key   VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  content_type  VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  payload       LONGBLOB      NOT NULL,
  headers       MEDIUMTEXT    CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NULL,
  created_at    DATETIME(6)   NOT NULL,
  attempts      INT UNSIGNED  NOT NULL,
  last_error    VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NULL,
  failed_at     DATETIME(6)   NULL,
  dead_at       DATETIME(6)   NOT NULL COMMENT 'UTC, when it was given up',
  PRIMARY KEY (id),
  KEY outbox_dead_letter_message (message_id),
  KEY outbox_dead_letter_key (partition_key, id),
  KEY outbox_dead_letter_name (name, id)
) ENGINE = InnoDB;

-- Messages that were published, for a while. Only with outbox.archive.enabled=true; without it the table may be missing.
CREATE TABLE IF NOT EXISTS outbox_archive (
  id            BIGINT        NOT NULL AUTO_INCREMENT COMMENT 'the order in which they were archived',
  position      BIGINT        NOT NULL COMMENT 'that it had in the outbox',
  message_id    CHAR(36)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  name          VARCHAR(190)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  partition_key VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  exchange      VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  routing_key   VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  content_type  VARCHAR(255)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  payload       LONGBLOB      NOT NULL,
  payload_size  INT UNSIGNED  NOT NULL,
  headers       MEDIUMTEXT    CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NULL COMMENT 'JSON object of strings',
  created_at    DATETIME(6)   NOT NULL,
  attempts      INT UNSIGNED  NOT NULL COMMENT 'failed attempts before it was published',
  last_error    VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NULL,
  published_at  DATETIME(6)   NOT NULL COMMENT 'UTC, by the clock of the database, when it left the outbox',
  PRIMARY KEY (id),
  KEY outbox_archive_message (message_id),
  KEY outbox_archive_key (partition_key, id),
  KEY outbox_archive_name (name, id),
  KEY outbox_archive_published (published_at)
) ENGINE = InnoDB;

-- The workers that relay, as each instance last said. For eyes only: it may be missing, and nothing depends on what it says.
CREATE TABLE IF NOT EXISTS outbox_worker (
  instance      CHAR(36)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'another one after each start',
  id            INT           NOT NULL COMMENT 'number of the worker within its instance',
  host          VARCHAR(190)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  pid           BIGINT        NOT NULL,
  started_at    DATETIME(6)   NOT NULL COMMENT 'UTC, when the instance started',
  heartbeat_at  DATETIME(6)   NOT NULL COMMENT 'UTC, when it said so',
  state         VARCHAR(20)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'idle, busy, waiting, paused or stopped',
  batches       BIGINT        NOT NULL COMMENT 'ended since the relay was started',
  keys_in_hand  INT           NOT NULL,
  PRIMARY KEY (instance, id)
) ENGINE = InnoDB;

-- The instances, whether they relay or only publish. An instance removes its row when it ends as it should, so that a row
-- left behind tells of a process that was killed. It may be missing: then a message that ends its process spends no
-- attempts, and instances do not notice that they differ in outbox.ordered.
CREATE TABLE IF NOT EXISTS outbox_instance (
  id            CHAR(36)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'another one after each start',
  host          VARCHAR(190)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL,
  pid           BIGINT        NOT NULL,
  ordered       BOOLEAN       NOT NULL COMMENT 'outbox.ordered of the instance',
  started_at    DATETIME(6)   NOT NULL COMMENT 'UTC, when the instance started',
  heartbeat_at  DATETIME(6)   NOT NULL COMMENT 'UTC, when it said so',
  sending       MEDIUMTEXT    CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'positions of messages that may have ended a process, while they are sent again',
  PRIMARY KEY (id)
) ENGINE = InnoDB;

-- What all instances have published in each minute of the last hour. For eyes only: it may be missing.
CREATE TABLE IF NOT EXISTS outbox_throughput (
  minute        DATETIME      NOT NULL COMMENT 'UTC, when it began, by the clock of the database',
  published     BIGINT        NOT NULL,
  PRIMARY KEY (minute)
) ENGINE = InnoDB;

-- There is a row while an operator has paused the relays of all instances. It may be missing: then only one can be paused.
CREATE TABLE IF NOT EXISTS outbox_pause (
  id            INT           NOT NULL COMMENT 'always 1',
  paused_at     DATETIME(6)   NOT NULL COMMENT 'UTC',
  PRIMARY KEY (id)
) ENGINE = InnoDB;

-- What operators have done, and who did it. It may be missing: then only the log tells.
CREATE TABLE IF NOT EXISTS outbox_audit (
  id            BIGINT        NOT NULL AUTO_INCREMENT,
  done_at       DATETIME(6)   NOT NULL COMMENT 'UTC, by the clock of the database',
  operator      VARCHAR(190)  CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NULL COMMENT 'null: not known',
  verb          VARCHAR(20)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  selection     VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL COMMENT 'to what, in words',
  affected      BIGINT        NOT NULL COMMENT 'how many messages were changed',
  passed_over   BIGINT        NOT NULL,
  error         VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NULL COMMENT 'null: nothing went wrong',
  PRIMARY KEY (id)
) ENGINE = InnoDB;

-- The partitions, numbered from zero. Each key belongs to partition CRC32(partition_key) % 64. A relay locks the rows
-- of the partitions whose messages it sends, for as long as it sends them. Their number is that of outbox.partitions,
-- and must not be changed as long as there are messages: none is added to those that are there.
CREATE TABLE IF NOT EXISTS outbox_partition (
  id            SMALLINT UNSIGNED NOT NULL,
  retry_at      DATETIME(6)   NULL COMMENT 'UTC, the least available_at of its parked keys; null: none is parked',
  PRIMARY KEY (id)
) ENGINE = InnoDB;

-- Applies to the next statement. It then reads without locks, and does not wait for a relay that owns partitions.
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;

INSERT IGNORE INTO outbox_partition (id)
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < 64)
SELECT i FROM n WHERE NOT EXISTS (SELECT 1 FROM outbox_partition) ORDER BY 1;

-- One row for each partition, locked by each transaction that writes to it, from just before the insert until the commit.
-- Relays lock the rows of outbox_partition and writers lock these, so that neither waits for the other.
CREATE TABLE IF NOT EXISTS outbox_stripe (
  id            SMALLINT UNSIGNED NOT NULL,
  PRIMARY KEY (id)
) ENGINE = InnoDB;

SET TRANSACTION ISOLATION LEVEL READ COMMITTED;

INSERT IGNORE INTO outbox_stripe (id)
SELECT id FROM outbox_partition WHERE NOT EXISTS (SELECT 1 FROM outbox_stripe) ORDER BY 1;
