package io.orderedoutbox.relay;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.Set;

import javax.sql.DataSource;

import com.mysql.cj.MysqlConnection;
import com.mysql.cj.jdbc.JdbcConnection;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source between whose statements anything may happen: others go on before and
 * after each, and a connection may be lost before the server has heard of a statement, or
 * before the client has heard of the answer.
 */
final class SteppedDataSource extends DelegatingDataSource {

	private static final Set<String> STEPS = Set.of("commit", "rollback", "execute", "executeQuery", "executeUpdate",
			"executeBatch");

	private final SimulatedFaults faults;

	SteppedDataSource(DataSource dataSource, SimulatedFaults faults) {
		super(dataSource);
		this.faults = faults;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		MysqlConnection physical = connection.unwrap(JdbcConnection.class);
		SimulatedFaults.Session session = this.faults.opened(physical.getId());
		return proxy(Connection.class, (proxy, method, arguments) -> {
			if (method.getName().equals("close")) {
				this.faults.closed(session);
			}
			Object result = step(session, connection, method, arguments);
			if (result instanceof PreparedStatement prepared) {
				return proxy(PreparedStatement.class, (own, call, values) -> step(session, prepared, call, values));
			}
			if (result instanceof Statement statement) {
				return proxy(Statement.class, (own, call, values) -> step(session, statement, call, values));
			}
			return result;
		});
	}

	private @Nullable Object step(SimulatedFaults.Session session, Object target, Method method, Object[] arguments)
			throws Throwable {
		boolean isStep = STEPS.contains(method.getName());
		if (isStep) {
			this.faults.before(session);
		}
		Object result;
		try {
			result = method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
		if (isStep && this.faults.isLostAfter(session)) {
			throw new SQLNonTransientConnectionException("The answer was lost", "08S01");
		}
		return result;
	}

	private static <T> T proxy(Class<T> type, InvocationHandler calls) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, calls));
	}

}
