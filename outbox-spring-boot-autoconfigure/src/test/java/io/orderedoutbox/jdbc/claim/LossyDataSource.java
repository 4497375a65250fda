package io.orderedoutbox.jdbc.claim;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source whose connections can be lost while they commit.
 */
final class LossyDataSource extends DelegatingDataSource {

	private volatile @Nullable Loss next;

	LossyDataSource(DataSource dataSource) {
		super(dataSource);
	}

	/**
	 * Lose the connection that commits next.
	 * @param loss what is lost, nothing to change one's mind
	 */
	void loseNextCommit(@Nullable Loss loss) {
		this.next = loss;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> call(connection, method, arguments));
	}

	private @Nullable Object call(Connection connection, Method method, Object[] arguments) throws Throwable {
		Loss loss = method.getName().equals("commit") ? this.next : null;
		try {
			if (loss == null) {
				return method.invoke(connection, arguments);
			}
			this.next = null;
			if (loss == Loss.ANSWER) {
				connection.commit();
			}
			connection.abort(Runnable::run);
			throw new SQLNonTransientConnectionException("The connection was lost while it committed", "08S01");
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	/**
	 * What of a commit is lost.
	 */
	enum Loss {

		/** The server does not hear of it. */
		REQUEST,

		/** The client does not hear that it was carried out. */
		ANSWER

	}

}
