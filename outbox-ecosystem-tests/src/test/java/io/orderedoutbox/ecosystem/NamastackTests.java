/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.namastack.outbox.annotation.OutboxEvent;
import io.namastack.outbox.annotation.OutboxHandler;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.ecosystem.Application.Builder;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The starter of namastack in the same application and the same database: each of the two
 * takes the events that are annotated for it.
 */
@Timeout(120)
class NamastackTests {

	private static final BlockingQueue<String> HANDLED = new LinkedBlockingQueue<>();

	@AutoClose
	private final Arrivals arrivals = new Arrivals();

	private final Database database = Servers.database().fresh();

	@BeforeEach
	void empty() {
		HANDLED.clear();
	}

	private Builder application() {
		return Application.on(this.database, Library.NAMASTACK)
			.with("namastack.outbox.jdbc.schema-initialization.enabled", true)
			.sendingTo(this.arrivals)
			.with(Handling.class);
	}

	@Test
	void eachTakesItsOwnEvents() throws Exception {
		try (Application application = application().with("outbox.jdbc.table-prefix", "ordered_outbox_").start()) {
			assertThat(application.context().getBeansOfType(io.namastack.outbox.Outbox.class)).hasSize(1);
			assertThat(application.context().getBeansOfType(Outbox.class)).hasSize(1);
			application.publish(new OrderChanged("a", 1), new Invoiced("a"), new OrderChanged("a", 2));
			this.arrivals.await(2);
			assertThat(HANDLED.poll(30, TimeUnit.SECONDS)).isEqualTo("invoiced a");
			assertThat(this.arrivals.texts()).containsExactly(new OrderChanged("a", 1).text(),
					new OrderChanged("a", 2).text());
			assertThat(HANDLED).as("handled once").isEmpty();
			assertThat(application.jdbc()
				.sql("SELECT COUNT(*) FROM outbox_record WHERE record_type LIKE '%OrderChanged'")
				.query(Integer.class)
				.single()).isZero();
		}
	}

	@Test
	void whereTheTablesOfTheOtherHaveItsNamesTheOutboxDoesNotStart() {
		try (Application alone = application().with("outbox.enabled", false).start()) {
			assertThat(alone.context().getBeansOfType(Outbox.class)).isEmpty();
		}
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> application().start().close())
			.havingCause()
			.isInstanceOf(OutboxConfigurationException.class)
			.withMessageContaining("belongs to something else")
			.withMessageContaining("outbox.jdbc.table-prefix");
	}

	/**
	 * An event of the other outbox.
	 */
	@OutboxEvent(key = "#this.order")
	public record Invoiced(String order) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Handling {

		@Bean
		InvoiceHandler invoiceHandler() {
			return new InvoiceHandler();
		}

	}

	static class InvoiceHandler {

		@OutboxHandler
		public void handle(Invoiced invoiced) {
			HANDLED.add("invoiced " + invoiced.order());
		}

	}

}
