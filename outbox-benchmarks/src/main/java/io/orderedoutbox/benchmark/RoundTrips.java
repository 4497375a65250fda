package io.orderedoutbox.benchmark;

import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import com.mysql.cj.MysqlConnection;
import com.mysql.cj.Query;
import com.mysql.cj.interceptors.QueryInterceptor;
import com.mysql.cj.log.Log;
import com.mysql.cj.protocol.Resultset;
import com.mysql.cj.protocol.ServerSession;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the driver sends to the database: statements, commits and settings alike.
 * The driver makes one for each connection.
 */
public final class RoundTrips implements QueryInterceptor {

	private static final LongAdder COUNT = new LongAdder();

	/**
	 * How many there have been in this JVM.
	 */
	static long count() {
		return COUNT.sum();
	}

	@Override
	public QueryInterceptor init(MysqlConnection connection, Properties properties, Log log) {
		return this;
	}

	@Override
	@SuppressWarnings("TypeParameterUnusedInFormals") // the driver's
	public <T extends Resultset> @Nullable T preProcess(Supplier<String> sql, Query query) {
		COUNT.increment();
		return null;
	}

	@Override
	public boolean executeTopLevelOnly() {
		return false;
	}

	@Override
	public void destroy() {
	}

	@Override
	public <T extends Resultset> @Nullable T postProcess(Supplier<String> sql, Query query, T result,
			ServerSession session) {
		return null;
	}

}
