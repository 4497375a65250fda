/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.net.HttpCookie;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.monitor.console.WebClient.Reply;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.FailedKey;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * The monitor page of an application with Spring Security, and rules as the documentation
 * shows them.
 */
@Timeout(90)
class MonitorPageSecurityTests {

	private static final String ALL = "{\"all\":true}";

	@Test
	void itDoesNotStartUntilSomebodySaysWhoMaySeeIt() {
		Builder application = WebClient.secured(OutboxApplication.on(Servers.database().fresh()))
			.withoutRelay()
			.with("outbox.monitor.enabled", "true");
		assertThatException().isThrownBy(() -> application.start().close())
			.havingRootCause()
			.withMessageContaining("outbox.monitor.secured=true")
			.withMessageContaining("/outbox/**");
	}

	@Test
	void theRuleOfTheApplicationSaysWhoSeesIt() {
		try (OutboxApplication application = secured().with(BasicAuthentication.class).start()) {
			WebClient client = WebClient.of(application, "/outbox").asPage();
			for (String path : List.of("", "/", "/monitor.js", "/api/overview", "/api/messages")) {
				assertThat(client.get(path).status()).as(path).isEqualTo(401);
				assertThat(client.with(basic("guest")).get(path).status()).as(path).isEqualTo(403);
				assertThat(client.with(basic("olga")).get(path).status()).as(path)
					.isEqualTo(path.isEmpty() ? 302 : 200);
			}
		}
	}

	@Test
	void whoIsNotSignedInIsSentToWhereThatIsDone() {
		try (OutboxApplication application = secured().with(Login.class).start()) {
			Reply reply = WebClient.of(application, "/outbox").asPage().get("/api/overview");
			assertThat(reply.status()).isEqualTo(302);
			assertThat(reply.header("Location")).endsWith("/login");
		}
	}

	@Test
	void aVerbNeedsTheTokenThatTheApplicationHasGivenToThePage() {
		try (OutboxApplication application = secured().with(BasicAuthentication.class).start()) {
			application.publish(new OrderPlaced("a", 1));
			FailedKey.fail(application.jdbc(), "a", FailedKey.NEVER);
			WebClient olga = WebClient.of(application, "/outbox").asPage().with(basic("olga"));
			String token = HttpCookie.parse(olga.get("/").header("Set-Cookie")).get(0).getValue();
			String[] cookie = { "Cookie", "XSRF-TOKEN=" + token };
			assertThat(olga.post("/api/retry", ALL).status()).isEqualTo(403);
			assertThat(olga.with(cookie).post("/api/retry", ALL).status()).isEqualTo(403);
			assertThat(olga.with(cookie).post("/api/retry", ALL, "X-XSRF-TOKEN", "another").status()).isEqualTo(403);
			assertThat(application.count("attempts = 3")).isEqualTo(1);
			Reply reply = olga.with(cookie).post("/api/retry", ALL, "X-XSRF-TOKEN", token);
			assertThat(reply.status()).isEqualTo(200);
			assertThat(reply.json().path("affected").asInt()).isEqualTo(1);
			assertThat(application.count("attempts = 3")).isZero();
		}
	}

	@Test
	void whereNoTokenIsNeededThePageStillProtectsItself() {
		try (OutboxApplication application = secured().with(WithoutTokens.class).start()) {
			WebClient olga = WebClient.of(application, "/outbox/api").with(basic("olga"));
			assertThat(olga.asPage().post("/retry", ALL).status()).isEqualTo(200);
			assertThat(olga.post("/retry", ALL).status()).isEqualTo(403);
		}
	}

	@Test
	void whatIsSecuredNeedsNoNamesButCanHaveThem() {
		try (OutboxApplication application = secured().with(WithoutTokens.class).start()) {
			WebClient olga = WebClient.of(application, "/outbox/api").with(basic("olga")).asPage();
			assertThat(olga.statusUnder("shop.example", "/messages")).contains(" 200");
		}
		try (OutboxApplication application = secured().with(WithoutTokens.class)
			.with("outbox.monitor.allowed-hosts", "shop.example")
			.start()) {
			WebClient olga = WebClient.of(application, "/outbox/api").with(basic("olga")).asPage();
			assertThat(olga.statusUnder("shop.example", "/messages")).contains(" 200");
			assertThat(olga.statusUnder("evil.example", "/messages")).contains(" 403");
		}
	}

	private static String[] basic(String user) {
		byte[] credentials = (user + ":secret").getBytes(StandardCharsets.US_ASCII);
		return new String[] { "Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials) };
	}

	private static Builder secured() {
		return secured(OutboxApplication.on(Servers.database().fresh())).withoutRelay();
	}

	/**
	 * Let an application have the page behind Spring Security.
	 */
	static Builder secured(Builder application) {
		return WebClient.secured(application)
			.with("outbox.monitor.enabled", "true")
			.with("outbox.monitor.secured", "true");
	}

	private static HttpSecurity operatorsOnly(HttpSecurity http) {
		return http.authorizeHttpRequests((requests) -> requests.requestMatchers("/outbox", "/outbox/**")
			.hasRole("OPERATOR")
			.anyRequest()
			.permitAll());
	}

	@Configuration(proxyBeanMethods = false)
	static class Users {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("olga").password("{noop}secret").roles("OPERATOR").build(),
					User.withUsername("guest").password("{noop}secret").roles("GUEST").build());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Users.class)
	static class BasicAuthentication {

		@Bean
		SecurityFilterChain rules(HttpSecurity http) {
			return operatorsOnly(http).httpBasic(Customizer.withDefaults()).csrf(CsrfConfigurer::spa).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Users.class)
	static class WithoutTokens {

		@Bean
		SecurityFilterChain rules(HttpSecurity http) {
			return operatorsOnly(http).httpBasic(Customizer.withDefaults())
				.csrf((csrf) -> csrf.ignoringRequestMatchers("/outbox/api/**"))
				.build();
		}

	}

	/**
	 * A page where one signs in.
	 */
	@Configuration(proxyBeanMethods = false)
	@Import(Users.class)
	static class Login {

		@Bean
		SecurityFilterChain rules(HttpSecurity http) {
			return operatorsOnly(http).formLogin(Customizer.withDefaults()).csrf(CsrfConfigurer::spa).build();
		}

	}

}
