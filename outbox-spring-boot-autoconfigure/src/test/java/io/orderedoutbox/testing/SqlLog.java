package io.orderedoutbox.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.function.Supplier;

import com.mysql.cj.MysqlConnection;
import com.mysql.cj.Query;
import com.mysql.cj.interceptors.QueryInterceptor;
import com.mysql.cj.log.Log;
import com.mysql.cj.protocol.Resultset;
import com.mysql.cj.protocol.ServerSession;

/**
 * What the driver sends to the database, statement by statement, on the threads that ask
 * for it. Switched on by the option {@code queryInterceptors} of a JDBC URL.
 */
public final class SqlLog implements QueryInterceptor {

	private static final ThreadLocal<List<String>> STATEMENTS = new ThreadLocal<>();

	/**
	 * Do some work, and return the statements that this thread has sent meanwhile, in
	 * lower case.
	 */
	public static List<String> of(Runnable work) {
		List<String> statements = new ArrayList<>();
		STATEMENTS.set(statements);
		try {
			work.run();
		}
		finally {
			STATEMENTS.remove();
		}
		return statements;
	}

	@Override
	public QueryInterceptor init(MysqlConnection connection, Properties properties, Log log) {
		return this;
	}

	@Override
	public <T extends Resultset> T preProcess(Supplier<String> sql, Query query) {
		List<String> statements = STATEMENTS.get();
		if (statements != null) {
			statements.add(sql.get().strip().toLowerCase(Locale.ROOT));
		}
		return null;
	}

	@Override
	public <T extends Resultset> T postProcess(Supplier<String> sql, Query query, T result, ServerSession session) {
		return null;
	}

	@Override
	public boolean executeTopLevelOnly() {
		return false;
	}

	@Override
	public void destroy() {
	}

}
