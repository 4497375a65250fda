-- Words of MySQL that tests use to look at the tables, or to fill them, for H2. The library itself uses none of them.
CREATE ALIAS IF NOT EXISTS utc_timestamp FOR "io.orderedoutbox.servers.H2Words.now";
CREATE ALIAS IF NOT EXISTS connection_id FOR "io.orderedoutbox.servers.H2Words.connectionId";
CREATE ALIAS IF NOT EXISTS crc32 DETERMINISTIC FOR "io.orderedoutbox.servers.H2Words.crc32";
CREATE ALIAS IF NOT EXISTS sleep FOR "io.orderedoutbox.servers.H2Words.sleep";
CREATE ALIAS IF NOT EXISTS filler FOR "io.orderedoutbox.servers.H2Words.filler";
CREATE ALIAS IF NOT EXISTS hex FOR "io.orderedoutbox.servers.H2Words.hex";
