package io.orderedoutbox.jdbc.claim;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source that changes statements on their way to the database.
 */
final class RewritingDataSource extends DelegatingDataSource {

	private final UnaryOperator<String> change;

	RewritingDataSource(DataSource dataSource, UnaryOperator<String> change) {
		super(dataSource);
		this.change = change;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return proxy(Connection.class, (proxy, method, arguments) -> {
			Object result = call(connection, method, arguments);
			return (result instanceof Statement statement && method.getName().equals("createStatement"))
					? rewriting(statement) : result;
		});
	}

	private Statement rewriting(Statement statement) {
		return proxy(Statement.class, (proxy, method, arguments) -> call(statement, method, arguments));
	}

	private Object call(Object target, Method method, Object[] arguments) throws Throwable {
		try {
			if (arguments != null && arguments[0] instanceof String sql) {
				arguments[0] = this.change.apply(sql);
			}
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private static <T> T proxy(Class<T> type, InvocationHandler calls) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, calls));
	}

}
