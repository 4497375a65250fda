package io.orderedoutbox.testing;

import java.util.Properties;
import java.util.function.Supplier;

import com.mysql.cj.MysqlConnection;
import com.mysql.cj.Query;
import com.mysql.cj.interceptors.QueryInterceptor;
import com.mysql.cj.log.Log;
import com.mysql.cj.protocol.Resultset;
import com.mysql.cj.protocol.ServerSession;

/**
 * Is told what the driver sends to the database. Switched on by the option
 * {@code queryInterceptors} of a JDBC URL.
 */
public abstract class SentStatements implements QueryInterceptor {

	/**
	 * A statement is about to be sent.
	 */
	protected abstract void sent(Supplier<String> sql);

	@Override
	public QueryInterceptor init(MysqlConnection connection, Properties properties, Log log) {
		return this;
	}

	@Override
	public <T extends Resultset> T preProcess(Supplier<String> sql, Query query) {
		sent(sql);
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
