/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.net.HttpCookie;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

import io.orderedoutbox.admin.AuditEntry;
import io.orderedoutbox.admin.AuditTrail;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint and the page of an application with Spring Security: who may act, which
 * token the request needs, and who is in the history afterwards.
 */
@Timeout(90)
class OperatorSecurityTests {

	private static final String ALL = "{\"all\":true}";

	@AutoClose
	private static OutboxApplication application;

	@BeforeAll
	static void start() {
		application = MonitorPageSecurityTests.secured(OutboxApplication.on(Servers.database().fresh()))
			.withoutRelay()
			.with("management.endpoints.web.exposure.include", "outbox")
			.with("management.endpoint.outbox.access", "unrestricted")
			.with(Rules.class)
			.start();
	}

	@BeforeEach
	void empty() {
		application.jdbc().sql("DELETE FROM outbox_audit").update();
	}

	@Test
	void theRuleOfTheApplicationSaysWhoReachesTheEndpoint() {
		WebClient endpoint = WebClient.of(application, "/actuator/outbox");
		assertThat(endpoint.get("").status()).isEqualTo(401);
		assertThat(endpoint.with(basic("guest")).get("").status()).isEqualTo(403);
		assertThat(endpoint.with(basic("olga")).get("").status()).isEqualTo(200);
	}

	@Test
	void aVerbOfTheEndpointNeedsATokenUnlessTheApplicationSaysOtherwise() {
		WebClient endpoint = WebClient.of(application, "/actuator/outbox").with(basic("olga"));
		assertThat(endpoint.post("/skip", ALL).status()).isEqualTo(403);
		assertThat(endpoint.post("/retry", ALL).status()).isEqualTo(200);
	}

	@Test
	void whoeverIsSignedInIsTheOperatorOfWhatTheEndpointDid() {
		WebClient.of(application, "/actuator/outbox").with(basic("olga")).post("/retry", ALL);
		assertThat(operators()).containsExactly("olga");
	}

	@Test
	void whoeverIsSignedInIsTheOperatorOfWhatThePageDid() {
		WebClient olga = WebClient.of(application, "/outbox").asPage().with(basic("olga"));
		String token = HttpCookie.parse(olga.get("/").header("Set-Cookie")).get(0).getValue();
		assertThat(olga.with("Cookie", "XSRF-TOKEN=" + token).post("/api/retry", ALL, "X-XSRF-TOKEN", token).status())
			.isEqualTo(200);
		assertThat(operators()).containsExactly("olga");
	}

	@Test
	void whoeverIsNotSignedInHasNoName() {
		assertThat(WebClient.of(application, "/actuator/outbox").post("/requeue", ALL).status()).isEqualTo(200);
		assertThat(operators()).containsExactly((String) null);
	}

	private static List<String> operators() {
		return application.bean(AuditTrail.class)
			.list(TimeRange.ALWAYS, Long.MAX_VALUE, 9)
			.stream()
			.map(AuditEntry::action)
			.map((action) -> action.operator())
			.toList();
	}

	private static String[] basic(String user) {
		byte[] credentials = (user + ":secret").getBytes(StandardCharsets.US_ASCII);
		return new String[] { "Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials) };
	}

	@Configuration(proxyBeanMethods = false)
	static class Rules {

		@Bean
		@Order(1)
		SecurityFilterChain endpoint(HttpSecurity http) {
			return http.securityMatcher("/actuator/**")
				.authorizeHttpRequests((requests) -> requests.requestMatchers("/actuator/outbox/requeue")
					.permitAll()
					.anyRequest()
					.hasRole("OPERATOR"))
				.httpBasic(Customizer.withDefaults())
				.csrf((csrf) -> csrf.ignoringRequestMatchers("/actuator/outbox/retry", "/actuator/outbox/requeue"))
				.build();
		}

		@Bean
		@Order(2)
		SecurityFilterChain page(HttpSecurity http) {
			return http
				.authorizeHttpRequests(
						(requests) -> requests.requestMatchers("/error").permitAll().anyRequest().hasRole("OPERATOR"))
				.httpBasic(Customizer.withDefaults())
				.csrf(CsrfConfigurer::spa)
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("olga").password("{noop}secret").roles("OPERATOR").build(),
					User.withUsername("guest").password("{noop}secret").roles("GUEST").build());
		}

	}

}
