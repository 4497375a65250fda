package io.orderedoutbox.autoconfigure;

import java.util.Map;

import javax.sql.DataSource;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.SimpleRoutingConnectionFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * A wrong setup ends the start of an application with a report that says what to do, not
 * with a stack trace.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTests {

	private final Database database = Servers.database().fresh();

	private final OutboxApplication.Builder application = OutboxApplication.on(this.database);

	@Test
	void missingTables(CapturedOutput output) {
		this.application.with("outbox.jdbc.initialize-schema", "never");
		assertReport(output,
				"The tables of the outbox, 'outbox_message', 'outbox_failed', 'outbox_dead_letter' and 'outbox_stripe', are missing",
				"Set outbox.jdbc.initialize-schema=always");
	}

	@Test
	void tablesWithAnotherPrefix(CapturedOutput output) {
		this.application.start().close();
		this.application.with("outbox.jdbc.initialize-schema", "never").with("outbox.jdbc.table-prefix", "shop_");
		assertReport(output, "'shop_dead_letter' and 'shop_stripe', are missing",
				"outbox.jdbc.initialize-schema=always");
	}

	@Test
	void missingStripes(CapturedOutput output) {
		try (OutboxApplication before = this.application.start()) {
			before.jdbc().sql("DELETE FROM outbox_stripe WHERE id >= 1000").update();
		}
		this.application.with("outbox.jdbc.initialize-schema", "never");
		assertReport(output, "Table 'outbox_stripe' has 1000 rows instead of 1024", "inserts the missing ids");
	}

	@Test
	void badPrefix(CapturedOutput output) {
		this.application.with("outbox.jdbc.table-prefix", "x;");
		assertReport(output, "'outbox.jdbc.table-prefix' must be a letter followed by", "but is 'x;'");
	}

	@Test
	void scriptThatIsNotThere(CapturedOutput output) {
		this.application.with("outbox.jdbc.schema", "classpath:nowhere.sql");
		assertReport(output, "classpath:nowhere.sql", "Check outbox.jdbc.schema");
	}

	@Test
	void unreachableDatabaseInWhichTablesShouldBeCreated(CapturedOutput output) {
		this.application.with("spring.datasource.url", "jdbc:mysql://127.0.0.1:1/nowhere");
		assertReport(output, "the database cannot be reached", "outbox.jdbc.initialize-schema=never");
	}

	@Test
	void noDataSource(CapturedOutput output) {
		exclude("org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
		assertReport(output, "The outbox needs a DataSource, but there is none", "spring.datasource.url");
	}

	@Test
	void noDatabaseConfigured(CapturedOutput output) {
		this.application.with("spring.datasource.url", "");
		assertReport(output, "Failed to configure a DataSource", "url");
	}

	@Test
	void twoDataSourcesOfWhichNoneIsMarked(CapturedOutput output) {
		this.application.with(TwoDataSources.class);
		assertReport(output, "The outbox needs one DataSource, but there are 2", "@OutboxDataSource or @Primary");
	}

	@Test
	void aConnectionFactoryFromWhichNoneCanBeDerived(CapturedOutput output) {
		this.application.with(RoutingConnections.class);
		assertReport(output, "no single RabbitMQ connection factory",
				"declare a CachingConnectionFactory bean named outboxRabbitConnectionFactory");
	}

	@Test
	void nothingToSendWith(CapturedOutput output) {
		exclude(OutboxRabbitAutoConfiguration.class.getName());
		assertReport(output, "The outbox relay has nothing to send with",
				"spring-boot-starter-amqp, declare a MessageSender bean, or set outbox.relay.mode=off");
	}

	private void exclude(String autoConfiguration) {
		this.application.with("spring.autoconfigure.exclude[0]", autoConfiguration)
			.with("spring.autoconfigure.exclude[1]",
					"org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
			.with("spring.autoconfigure.exclude[2]",
					"org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration")
			.withJpa();
	}

	private void assertReport(CapturedOutput output, String description, String action) {
		assertThatException().isThrownBy(() -> this.application.start().close());
		assertThat(output).contains("APPLICATION FAILED TO START");
		String report = output.getOut().substring(output.getOut().indexOf("APPLICATION FAILED TO START"));
		assertThat(report).contains("Description:", description, "Action:", action).doesNotContain("\tat ");
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources {

		@Bean
		DataSource one() {
			return new OutboxPropertiesTests.UnreachableDataSource();
		}

		@Bean
		DataSource two() {
			return new OutboxPropertiesTests.UnreachableDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RoutingConnections {

		@Bean
		ConnectionFactory byTenant() {
			SimpleRoutingConnectionFactory routing = new SimpleRoutingConnectionFactory();
			routing.setTargetConnectionFactories(Map.of("tenant", new CachingConnectionFactory("tenant")));
			routing.setDefaultTargetConnectionFactory(new CachingConnectionFactory("other"));
			return routing;
		}

	}

}
