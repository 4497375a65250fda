/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.ecosystem.Application.Builder;
import io.orderedoutbox.ecosystem.Arrivals.Arrival;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Spring Modulith in the same application: its listeners, its registry of publications in
 * JDBC and in JPA, and its own way to the broker.
 */
@ExtendWith(OutputCaptureExtension.class)
@ParameterizedClass
@EnumSource(names = { "MODULITH_REGISTRY_IN_JDBC", "MODULITH_REGISTRY_IN_JPA" })
class ModulithTests {

	// What the listener says
	private static final BlockingQueue<String> HEARD = new LinkedBlockingQueue<>();

	private static volatile boolean failing;

	@AutoClose
	private static final Arrivals ARRIVALS = new Arrivals();

	private static Application application;

	private final Library registry;

	ModulithTests(Library registry) {
		this.registry = registry;
	}

	@BeforeParameterizedClassInvocation
	static void start(Library registry) {
		application = application(registry).start();
	}

	private static Builder application(Library registry) {
		return ((registry == Library.MODULITH_REGISTRY_IN_JPA)
				? Application.with(Library.MODULITH, registry, Library.JPA)
				: Application.with(Library.MODULITH, registry))
			.with("spring.jpa.hibernate.ddl-auto", "create")
			.sendingTo(ARRIVALS)
			.with(Externalization.class, Stock.class);
	}

	@AfterParameterizedClassInvocation
	static void close() {
		application.close();
	}

	@BeforeEach
	void empty() {
		failing = false;
		HEARD.clear();
		ARRIVALS.clear();
	}

	@Test
	void anEventOfTheOutboxArrivesOnceAlthoughModulithHandsItToAListener() throws Exception {
		application.publish(new OrderChanged("a", 1));
		assertThat(HEARD.poll(10, TimeUnit.SECONDS)).isEqualTo("a done");
		ARRIVALS.await(2);
		application.awaitEmpty();
		assertThat(ARRIVALS.texts()).containsExactlyInAnyOrder(new OrderChanged("a", 1).text(), "{\"order\":\"a\"}");
	}

	@Test
	void whatAListenerPublishesIsStoredWhenItSucceedsAndTheEventThatItHearsAgainIsNotSentAgain() throws Exception {
		failing = true;
		application.publish(new OrderChanged("b", 1));
		assertThat(HEARD.poll(10, TimeUnit.SECONDS)).isEqualTo("b failed");
		ARRIVALS.await(1);
		application.awaitEmpty();
		failing = false;
		IncompleteEventPublications incomplete = application.bean(IncompleteEventPublications.class);
		// What has just failed is not known as failed for a moment
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> {
			incomplete.resubmitIncompletePublications((publication) -> true);
			return HEARD.poll(100, TimeUnit.MILLISECONDS) != null;
		});
		ARRIVALS.await(2);
		application.awaitEmpty();
		assertThat(ARRIVALS.texts()).containsExactly(new OrderChanged("b", 1).text(), "{\"order\":\"b\"}");
	}

	@Test
	void anEventThatBothAreToldToSendIsSentByBothAndTheLogSaysSo(CapturedOutput output) {
		application.publish(new Announced("c"));
		assertThat(ARRIVALS.await(2)).extracting(Arrival::text)
			.containsExactly("{\"order\":\"c\"}", "{\"order\":\"c\"}");
		assertThat(ARRIVALS.await(2)).extracting(Arrival::messageId)
			.as("only the outbox gives an id")
			.containsOnlyOnce((String) null);
		assertThat(output).contains("Events of %s are sent twice".formatted(Announced.class))
			.contains("spring.modulith.events.externalization.enabled=false")
			.doesNotContain("Events of %s are sent twice".formatted(OrderChanged.class));
	}

	@Test
	void withModulithsWayToTheBrokerSwitchedOffItIsSentOnce(CapturedOutput output) {
		int saidBefore = output.getAll().split("are sent twice", -1).length;
		try (Application withoutExternalization = application(this.registry)
			.with("spring.modulith.events.externalization.enabled", "false")
			.start()) {
			withoutExternalization.publish(new Announced("d"));
			withoutExternalization.publish(new Announced("e"));
			ARRIVALS.await(2);
			withoutExternalization.awaitEmpty();
			assertThat(ARRIVALS.texts()).containsExactlyInAnyOrder("{\"order\":\"d\"}", "{\"order\":\"e\"}");
		}
		assertThat(output.getAll().split("are sent twice", -1)).hasSize(saidBefore);
	}

	@Externalized
	@OutboxMessage("order.announced")
	record Announced(@PartitionKey String order) {

	}

	@OutboxMessage("stock.reduced")
	record StockReduced(@PartitionKey String order) {

	}

	/**
	 * As the module of Modulith for RabbitMQ does it.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Externalization {

		@Bean
		EventExternalizationConfiguration externalization(Environment environment) {
			String exchange = environment.getRequiredProperty("outbox.rabbit.exchange");
			return EventExternalizationConfiguration.externalizing()
				.selectByAnnotation(Externalized.class)
				.route(Announced.class, (event) -> RoutingTarget.forTarget(exchange).andKey("order.announced"))
				.build();
		}

		@Bean
		@ConditionalOnBooleanProperty(name = "spring.modulith.events.externalization.enabled", matchIfMissing = true)
		EventExternalizerModuleListener externalizer(EventExternalizationConfiguration configuration,
				RabbitTemplate rabbit, JsonMapper json) {
			return new EventExternalizerModuleListener(configuration, (event, target) -> {
				rabbit.convertAndSend(target.getTarget(), target.getKey(), json.writeValueAsString(event));
				return CompletableFuture.completedFuture(null);
			});
		}

	}

	static class Stock {

		private final ApplicationEventPublisher publisher;

		Stock(ApplicationEventPublisher publisher) {
			this.publisher = publisher;
		}

		@ApplicationModuleListener
		public void on(OrderChanged event) {
			this.publisher.publishEvent(new StockReduced(event.order()));
			if (failing) {
				HEARD.add(event.order() + " failed");
				throw new IllegalStateException("The listener fails");
			}
			HEARD.add(event.order() + " done");
		}

	}

}
