/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.util.List;
import java.util.UUID;

import io.orderedoutbox.admin.AuditEntry;
import io.orderedoutbox.admin.AuditTrail;
import io.orderedoutbox.admin.OperatorAction;
import io.orderedoutbox.admin.OperatorIdentity;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.ecosystem.Application.Builder;
import io.orderedoutbox.inbox.shard.ShardQueues;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity.CsrfSpec;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who is in the history of an application with WebFlux, in which Spring Security does not
 * tell by thread who has signed in.
 */
class ReactiveOperatorTests {

	private static final String OUTBOX = "/actuator/outbox";

	private static final String ALL = "{\"all\":true}";

	@AutoClose
	private static Application application;

	@BeforeAll
	static void start() {
		application = secured().start();
	}

	private static Builder secured() {
		return Application.with(Library.SECURITY)
			.served()
			.withoutRelay()
			.with("management.endpoints.web.exposure.include", "outbox,inbox")
			.with("management.endpoint.outbox.access", "unrestricted")
			.with("management.endpoint.inbox.access", "unrestricted")
			.with(Rules.class);
	}

	@BeforeEach
	void empty() {
		application.jdbc().sql("DELETE FROM outbox_audit").update();
	}

	@Test
	void whoHasSignedInIsTheOperatorOfAVerb() throws Exception {
		assertThat(ada(application).post(OUTBOX + "/retry", ALL).statusCode()).isEqualTo(200);
		assertThat(actions(application)).containsExactly(new OperatorAction("ada", "RETRY", "all", 0, 0, null));
	}

	@Test
	void whoHasSignedInIsTheOperatorOfAPause() throws Exception {
		assertThat(ada(application).post(OUTBOX + "/pause", ALL).statusCode()).isEqualTo(200);
		assertThat(ada(application).post(OUTBOX + "/resume", ALL).statusCode()).isEqualTo(200);
		assertThat(operators(application)).containsExactly("ada", "ada");
	}

	@Test
	void whoHasSignedInIsTheOperatorOfAnExport() throws Exception {
		application.publish(new OrderChanged("a", 1), new OrderChanged("a", 2));
		assertThat(ada(application).get(OUTBOX + "/export").body().lines()).hasSize(2);
		assertThat(actions(application)).containsExactly(
				new OperatorAction("ada", "EXPORT", "pending messages, all, without payloads", 2, 0, null));
	}

	@Test
	void whoHasSignedInIsTheOperatorOfWhatIsDoneToDeadLettersOfTheInbox() throws Exception {
		String name = "outbox-test-" + UUID.randomUUID();
		try (Application consumer = secured().with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.with("outbox.rabbit.shards.name", name)
			.with("outbox.rabbit.shards.exchange", name)
			.with("outbox.rabbit.shards.count", 2)
			.start()) {
			try {
				assertThat(ada(consumer).post("/actuator/inbox/replay", "{\"shards\":\"%s\"}".formatted(name)).body())
					.contains("\"affected\":0");
				assertThat(actions(consumer)).containsExactly(new OperatorAction("ada", "REPLAY",
						"dead letters of the shards '%s'".formatted(name), 0, 0, null));
			}
			finally {
				delete(consumer.bean(AmqpAdmin.class), consumer.bean(ShardQueues.class), name);
			}
		}
	}

	private static void delete(AmqpAdmin admin, ShardQueues shards, String exchange) {
		List.of(shards.names()).forEach(admin::deleteQueue);
		admin.deleteQueue(shards.deadLetters());
		admin.deleteExchange(exchange + ".2");
		admin.deleteExchange(exchange);
	}

	@Test
	void whoHasNotSignedInHasNoNameAlsoAfterOneWhoHas() throws Exception {
		for (int call = 0; call < 20; call++) {
			assertThat(ada(application).post(OUTBOX + "/requeue", ALL).statusCode()).isEqualTo(200);
			assertThat(HttpCalls.to(application).post(OUTBOX + "/requeue", ALL).statusCode()).isEqualTo(200);
		}
		assertThat(operators(application)).hasSize(9).startsWith(null, "ada", null, "ada", null, "ada", null, "ada");
	}

	@Test
	void whoMayNotIsRefusedAndNotRecorded() throws Exception {
		assertThat(HttpCalls.to(application).post(OUTBOX + "/retry", ALL).statusCode()).isEqualTo(401);
		assertThat(actions(application)).isEmpty();
	}

	@Test
	void anIdentityOfTheApplicationIsAskedInsteadOnAThreadThatMayWait() throws Exception {
		try (Application own = secured().with(Own.class).start()) {
			ada(own).post(OUTBOX + "/retry", ALL);
			own.publish(new OrderChanged("a", 1));
			ada(own).get(OUTBOX + "/export");
			assertThat(operators(own)).containsExactly("ada, who may wait", "ada, who may wait");
		}
	}

	private static HttpCalls ada(Application application) {
		return HttpCalls.to(application).by("ada", "secret");
	}

	private static List<String> operators(Application application) {
		return actions(application).stream().map(OperatorAction::operator).toList();
	}

	private static List<OperatorAction> actions(Application application) {
		return application.bean(AuditTrail.class)
			.list(TimeRange.ALWAYS, Long.MAX_VALUE, 9)
			.stream()
			.map(AuditEntry::action)
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	static class Rules {

		@Bean
		SecurityWebFilterChain rules(ServerHttpSecurity http) {
			return http.authorizeExchange((
					exchanges) -> exchanges.pathMatchers(OUTBOX + "/requeue").permitAll().anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.anonymous(Customizer.withDefaults())
				.csrf(CsrfSpec::disable)
				.build();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(
					User.withUsername("ada").password("{noop}secret").roles("OPERATOR").build());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Own {

		@Bean
		OperatorIdentity operatorIdentity() {
			return () -> SecurityContextHolder.getContext().getAuthentication().getName()
					+ (Schedulers.isInNonBlockingThread() ? ", who may not wait" : ", who may wait");
		}

	}

}
