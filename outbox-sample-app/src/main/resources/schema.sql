-- The sample's own tables, for MySQL and MariaDB. The outbox brings its own.

CREATE TABLE IF NOT EXISTS orders (
  number    BIGINT         NOT NULL AUTO_INCREMENT,
  id        CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  customer  VARCHAR(100)   NOT NULL,
  status    VARCHAR(20)    NOT NULL,
  total     DECIMAL(19, 2) NOT NULL,
  version   BIGINT         NOT NULL COMMENT 'number of changes, and of events published',
  placed_at DATETIME(6)    NOT NULL COMMENT 'UTC',
  PRIMARY KEY (number),
  UNIQUE KEY orders_by_id (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS order_line (
  id               BIGINT         NOT NULL AUTO_INCREMENT,
  order_id         CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  added_in_version BIGINT         NOT NULL,
  product          VARCHAR(100)   NOT NULL,
  quantity         INT            NOT NULL,
  unit_price       DECIMAL(19, 2) NOT NULL,
  PRIMARY KEY (id),
  KEY order_line_by_order (order_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

-- Written in the business transaction: what is here was committed
CREATE TABLE IF NOT EXISTS committed_event (
  order_id    CHAR(36)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  version     BIGINT       NOT NULL COMMENT 'position of the event in its order, from 1',
  name        VARCHAR(190) NOT NULL,
  recorded_at DATETIME(6)  NOT NULL COMMENT 'UTC, shortly before the commit',
  PRIMARY KEY (order_id, version)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

-- Written by the consumer, one at a time: what is here has arrived
CREATE TABLE IF NOT EXISTS arrived_event (
  number     BIGINT       NOT NULL AUTO_INCREMENT COMMENT 'order of arrival over all orders',
  message_id VARCHAR(255) NULL,
  order_id   CHAR(36)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  version    BIGINT       NOT NULL,
  name       VARCHAR(255) NULL,
  verdict    VARCHAR(20)  NOT NULL,
  arrived_at DATETIME(6)  NOT NULL COMMENT 'UTC',
  PRIMARY KEY (number),
  KEY arrived_event_by_message (message_id),
  KEY arrived_event_by_order (order_id, version),
  KEY arrived_event_by_verdict (verdict, order_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

-- Written by billing, in the transaction that records the message. Only the inbox keeps an event from
-- having two lines
CREATE TABLE IF NOT EXISTS invoice_line (
  number    BIGINT         NOT NULL AUTO_INCREMENT COMMENT 'grows with each line of an order',
  order_id  CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  version   BIGINT         NOT NULL COMMENT 'position of the event in its order',
  amount    DECIMAL(19, 2) NOT NULL,
  billed_at DATETIME(6)    NOT NULL COMMENT 'UTC',
  PRIMARY KEY (number),
  KEY invoice_line_by_order (order_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

-- The switch of the page: while there is a row, billing fails
CREATE TABLE IF NOT EXISTS billing_failure (
  id       TINYINT  NOT NULL,
  order_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'for this order',
  one_in   INT      NULL COMMENT 'for about one order in so many',
  PRIMARY KEY (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
