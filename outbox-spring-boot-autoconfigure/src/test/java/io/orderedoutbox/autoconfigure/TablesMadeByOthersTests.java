/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Whatever makes the tables while the application starts, they are checked afterwards.
 */
class TablesMadeByOthersTests {

	private static final String SCRIPT = "io/orderedoutbox/jdbc/schema-%s.sql".formatted(Servers.database().platform());

	private final Database database = Servers.database().fresh();

	@Test
	void bySpringSqlInit() {
		storesAnEvent(bySpringSqlInit(application()));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void bySpringSqlInitBesideJpa(boolean deferred) {
		storesAnEvent(bySpringSqlInit(application()).withJpa()
			.with("spring.jpa.open-in-view", "false")
			.with("spring.jpa.defer-datasource-initialization", deferred));
	}

	@Test
	void bySpringSqlInitWithLazyInitialization() {
		storesAnEvent(bySpringSqlInit(application()).with("spring.main.lazy-initialization", "true"));
	}

	@Test
	void bySpringSqlInitForAnOutboxWithAName() {
		storesAnEvent(bySpringSqlInit(application()).with("outbox.enabled", false)
			.with("outbox.named.billing.jdbc.initialize-schema", "never")
			.with("outbox.named.billing.relay.mode", "off"));
	}

	@ParameterizedTest
	@ValueSource(classes = { InitializerOfTheApplication.class, InitializerWithDependency.class, AnyBean.class,
			SecondDataSource.class })
	void byTheApplication(Class<?> configuration) {
		storesAnEvent(application().with(configuration));
	}

	@Test
	void byTheLibraryBeforeWhatTheApplicationPutsIn() {
		try (OutboxApplication application = OutboxApplication.on(this.database)
			.withoutRelay()
			.with(AfterOurs.class)
			.start()) {
			assertThat(application.jdbc().sql("SELECT COUNT(*) FROM outbox_pause").query(Integer.class).single())
				.isZero();
		}
	}

	@Test
	void ifNothingMakesThemTheStartIsRefused() {
		assertThatThrownBy(() -> application().start().close())
			.hasStackTraceContaining("table 'outbox_message' is missing");
	}

	private Builder application() {
		return OutboxApplication.on(this.database).withoutRelay().with("outbox.jdbc.initialize-schema", "never");
	}

	private static Builder bySpringSqlInit(Builder builder) {
		return builder.with("spring.sql.init.mode", "always")
			.with("spring.sql.init.schema-locations", "classpath:" + SCRIPT);
	}

	private static void storesAnEvent(Builder builder) {
		try (OutboxApplication application = builder.start()) {
			application.publish(new OrderPlaced("a", 1));
			assertThat(application.depth()).isOne();
		}
	}

	private static DatabaseInitializationSettings settings() {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode(DatabaseInitializationMode.ALWAYS);
		settings.setSchemaLocations(List.of("classpath:" + SCRIPT));
		return settings;
	}

	@Configuration(proxyBeanMethods = false)
	static class InitializerOfTheApplication {

		@Bean
		DataSourceScriptDatabaseInitializer tables(DataSource dataSource) {
			return new DataSourceScriptDatabaseInitializer(dataSource, settings());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InitializerWithDependency {

		@Bean
		@DependsOn("orderedOutboxSchemaInitializer")
		DataSourceScriptDatabaseInitializer tables(DataSource dataSource) {
			return new DataSourceScriptDatabaseInitializer(dataSource, settings());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AfterOurs {

		@Bean
		@DependsOn("orderedOutboxSchemaInitializer")
		InitializingBean settings(DataSource dataSource) {
			return () -> new JdbcTemplate(dataSource).queryForList("SELECT * FROM outbox_pause");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnyBean {

		@Bean
		InitializingBean tables(DataSource dataSource) {
			return () -> new ResourceDatabasePopulator(new ClassPathResource(SCRIPT)).execute(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SecondDataSource {

		@Bean
		DataSource first(Environment environment) {
			return dataSource(environment);
		}

		@Bean
		@OutboxDataSource
		DataSource second(Environment environment) {
			return dataSource(environment);
		}

		@Bean
		JdbcTransactionManager transactions(@OutboxDataSource DataSource second) {
			return new JdbcTransactionManager(second);
		}

		@Bean
		JdbcClient client(@OutboxDataSource DataSource second) {
			return JdbcClient.create(second);
		}

		@Bean
		DataSourceScriptDatabaseInitializer tables(@OutboxDataSource DataSource second) {
			return new DataSourceScriptDatabaseInitializer(second, settings());
		}

		private static DataSource dataSource(Environment environment) {
			return DataSourceBuilder.create()
				.url(environment.getRequiredProperty("spring.datasource.url"))
				.username(environment.getRequiredProperty("spring.datasource.username"))
				.password(environment.getRequiredProperty("spring.datasource.password"))
				.build();
		}

	}

}
