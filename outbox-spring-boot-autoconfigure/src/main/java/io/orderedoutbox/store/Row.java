package io.orderedoutbox.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

import org.springframework.jdbc.core.RowMapper;

/**
 * What is seen of a message before it is claimed.
 */
record Row(long id, String partitionKey, long payloadSize, boolean due) {

	/** By number: finding a column by its name takes longer than reading it. */
	static final RowMapper<Row> MAPPER = (rs, index) -> new Row(rs.getLong(1), rs.getString(2), rs.getLong(3),
			rs.getBoolean(4));

	/** Code point by code point, as both databases compare keys. */
	static final Comparator<String> KEY_ORDER = Comparator
		.comparing((String key) -> key.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

}
