/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.util.List;

import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.servers.Chromium;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.FailedKey;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an operator takes from the page at a glance: colours, tiles, ages, times and what
 * is said of an outage. In a real browser; skipped where there is none.
 */
@EnabledIf("io.orderedoutbox.servers.Chromium#isThere")
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
@Tag("slow")
@Tag("thorough")
class MonitorPageGlanceTests {

	private Chromium browser;

	@BeforeAll
	void start() {
		this.browser = new Chromium();
	}

	@BeforeEach
	void leave() {
		this.browser.leave();
	}

	@AfterAll
	void stop() {
		this.browser.close();
	}

	@Test
	void oneColourHasOneMeaning() {
		try (OutboxApplication application = served().start()) {
			application.publish(new OrderPlaced("order-1", 1), new OrderPlaced("order-2", 1));
			FailedKey.fail(application.jdbc(), "order-1", FailedKey.NEVER);
			FailedKey.fail(application.jdbc(), "order-2", FailedKey.NEVER);
			for (boolean dark : List.of(false, true)) {
				open(application, 1280, 900, dark);
				this.browser.await("document.querySelector('#stuck li') !== null");
				String red = colour("--bad");
				String green = colour("--accent");
				assertThat(style("#stuck [aria-label^=skip]", "color")).isEqualTo(red);
				assertThat(style("#stuck [aria-label^=retry]", "color")).isEqualTo(green);
				assertThat(style("#retry-all", "color")).isEqualTo(green);
				this.browser.click("#stuck [aria-label^=skip]");
				this.browser.await("document.querySelector('#confirm').open");
				assertThat(style("#confirm-yes", "background-color")).as("as in the list").isEqualTo(red);
				this.browser.screenshot(dark ? "confirm-skip-dark" : "confirm-skip");
				this.browser.press("Escape");
				this.browser.await("!document.querySelector('#confirm').open");
				this.browser.click("#retry-all");
				this.browser.await("document.querySelector('#confirm').open");
				assertThat(style("#confirm-yes", "background-color")).isEqualTo(green);
				this.browser.press("Escape");
				this.browser.await("!document.querySelector('#confirm').open");
			}
			this.browser.click("#stuck [aria-label^=skip]");
			this.browser.await("document.querySelector('#confirm').open");
			this.browser.click("#confirm-yes");
			this.browser.click("#states [data-state=dead]");
			this.browser.await("document.querySelector('#messages [aria-label^=discard]') !== null");
			for (String verb : List.of("discard", "requeue")) {
				String expected = colour(verb.equals("discard") ? "--bad" : "--accent");
				assertThat(style("#messages [aria-label^=%s]".formatted(verb), "color")).isEqualTo(expected);
				this.browser.click("#messages [aria-label^=%s]".formatted(verb));
				this.browser.await("document.querySelector('#confirm').open");
				assertThat(style("#confirm-yes", "background-color")).isEqualTo(expected);
				this.browser.press("Escape");
				this.browser.await("!document.querySelector('#confirm').open");
			}
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	private String colour(String variable) {
		return this.browser.evaluate("""
				(() => {
				  const probe = document.createElement('i');
				  probe.style.color = 'var(%s)';
				  document.body.append(probe);
				  const colour = getComputedStyle(probe).color;
				  probe.remove();
				  return colour;
				})()""".formatted(variable)).asString();
	}

	private String style(String selector, String property) {
		this.browser.await("document.querySelector('%s') !== null".formatted(selector));
		return this.browser
			.evaluate("getComputedStyle(document.querySelector('%s')).getPropertyValue('%s')".formatted(selector,
					property))
			.asString();
	}

	@ParameterizedTest
	@ValueSource(strings = { "stalled", "blocked", "dead" })
	void aTileLeadsToTheListThatItCounts(String state) {
		try (OutboxApplication application = served().start()) {
			for (String order : List.of("order-1", "order-2", "order-3", "order-4")) {
				application.publish(new OrderPlaced(order, 1));
				FailedKey.fail(application.jdbc(), order,
						order.equals("order-1") ? "TIMESTAMPADD(HOUR, 1, UTC_TIMESTAMP(6))" : FailedKey.NEVER);
			}
			WebClient.of(application, "/outbox/api").asPage().post("/skip", "{\"key\":\"order-4\"}");
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#tile-%s .figure').textContent !== '–'".formatted(state));
			String counted = this.browser.text("#tile-%s .figure".formatted(state));
			// What was searched for before would narrow the list
			search("order-99");
			follow("#tile-%s a".formatted(state));
			this.browser.await("document.querySelectorAll('#messages tbody tr[data-state=%s]').length === %s"
				.formatted(state, counted));
			assertThat(pressed()).isEqualTo(state);
			assertThat(this.browser.evaluate("document.querySelector('#search-for').value").asString()).isEmpty();
			this.browser.await("document.activeElement.id === 'messages-title'");
			this.browser.click("#states [data-state=due]");
			this.browser.await("document.querySelector('#states [data-state=due]').ariaPressed === 'true'");
			follow("#tile-%s a".formatted(state));
			this.browser.await("document.querySelectorAll('#messages tbody tr[data-state=%s]').length === %s"
				.formatted(state, counted));
			// The address says what is shown, so that it can be handed on
			String address = this.browser.evaluate("location.href").asString();
			assertThat(address).endsWith("#" + state);
			this.browser.leave();
			this.browser.open(address);
			this.browser.await("document.querySelectorAll('#messages tbody tr[data-state=%s]').length === %s"
				.formatted(state, counted));
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	@Test
	void everyTileLeadsSomewhere() {
		try (OutboxApplication application = served().start()) {
			application.publish(new OrderPlaced("order-1", 1), new OrderPlaced("order-2", 1));
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#tile-backlog .figure').textContent === '2'");
			assertThat(this.browser.evaluate("document.querySelectorAll('.tile').length").asInt())
				.isEqualTo(this.browser.evaluate("document.querySelectorAll('.tile a[href^=\"#\"]').length").asInt());
			follow("#tile-lag a");
			this.browser.await("document.querySelectorAll('#messages tbody tr[data-state=due]').length === 2");
			follow("#tile-backlog a");
			this.browser.await("document.querySelectorAll('#messages tbody tr[data-state=pending]').length === 2");
			follow("#tile-hour a");
			this.browser.await("document.activeElement.id === 'chart-title'");
			follow("#tile-workers a");
			this.browser.await("document.activeElement.id === 'workers-title'");
			assertThat(pressed()).as("as it was").isEqualTo("pending");
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	@Test
	void whatWaitsBehindAMessageIsListedToo() {
		try (OutboxApplication application = served().start()) {
			application.publish(new OrderPlaced("order-1", 1), new OrderPlaced("order-1", 2),
					new OrderPlaced("order-1", 3), new OrderPlaced("order-2", 1));
			FailedKey.fail(application.jdbc(), "order-1", FailedKey.NEVER);
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#stuck li') !== null");
			this.browser.evaluate("""
					[...document.querySelectorAll('#stuck button')]
					  .find((one) => one.textContent === '2 wait behind it').click()""");
			this.browser.await("document.querySelectorAll('#messages tbody tr[data-state=pending]').length === 2");
			assertThat(this.browser.evaluate("document.querySelector('#search-for').value").asString())
				.isEqualTo("order-1");
			assertThat(this.browser.text("#messages tbody")).doesNotContain("order-2");
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	@Test
	void agesCountOnBetweenTwoAnswersAndAnOldAnswerSaysSo() {
		try (OutboxApplication application = served().start()) {
			application.publish(new OrderPlaced("order-1", 1), new OrderPlaced("order-2", 1));
			FailedKey.fail(application.jdbc(), "order-1", FailedKey.NEVER);
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#stuck time') !== null");
			this.browser.await("document.querySelector('#messages tbody time') !== null");
			this.browser.await("document.querySelector('#link').textContent === 'live'");
			// From now on nothing is answered
			this.browser.evaluate("window.fetch = () => new Promise(() => {})");
			for (String age : List.of("#tile-backlog .note", "#tile-lag .figure", "#stuck time",
					"#messages tbody time")) {
				String first = this.browser.text(age);
				this.browser
					.await("document.querySelector('%s').textContent !== %s".formatted(age, Chromium.quoted(first)));
			}
			this.browser.await("document.querySelector('#link').textContent.startsWith('no answer for')");
			assertThat(this.browser.evaluate("document.querySelector('#link').dataset.state").asString())
				.isEqualTo("wait");
			this.browser.await("'stale' in document.body.dataset");
			this.browser.screenshot("stale");
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	@Test
	void aTimeSaysInWhichZoneItIsInWhateverLanguageTheBrowserSpeaks() {
		try (OutboxApplication application = served().start()) {
			application.publish(new OrderPlaced("order-1", 1));
			this.browser.pretend("Asia/Kathmandu", "de-DE");
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#messages tbody time') !== null");
			String instant = this.browser.evaluate("document.querySelector('#messages tbody time').dateTime")
				.asString();
			assertThat(this.browser.evaluate("document.querySelector('#messages tbody time').title").asString())
				.contains("GMT+5:45", instant);
			this.browser.click("#messages tbody .link-like");
			this.browser.await("document.querySelector('#detail').open");
			assertThat(this.browser.text("#detail-facts")).contains("GMT+5:45")
				.containsPattern("\\d{1,2} [A-Z][a-z]+ 20\\d\\d, \\d\\d:\\d\\d:\\d\\d GMT");
			this.browser.press("Escape");
			assertThat(this.browser.evaluate("document.querySelector('#workers time').title").asString())
				.contains("GMT+5:45");
			assertThat(this.browser.complaints()).isEmpty();
		}
		finally {
			this.browser.pretend("UTC", "en-US");
		}
	}

	@Test
	void anAgeDoesNotDependOnTheClockOfTheBrowser() {
		try (OutboxApplication application = served().start()) {
			application.publish(new OrderPlaced("order-1", 1));
			application.jdbc()
				.sql("UPDATE outbox_message SET created_at = TIMESTAMPADD(HOUR, -3, UTC_TIMESTAMP(6))")
				.update();
			this.browser.window(1280, 900, false);
			// A clock that is two hours fast
			String late = this.browser.before("""
					const RealDate = Date;
					window.Date = class extends RealDate {
					  constructor(...of) {
					    super(...(of.length > 0 ? of : [RealDate.now() + 7_200_000]));
					  }
					  static now() {
					    return RealDate.now() + 7_200_000;
					  }
					}""");
			try {
				this.browser.open(WebClient.of(application, "/outbox/").address());
				this.browser.await("document.querySelector('#messages tbody time')?.textContent.startsWith('3 h ')");
			}
			finally {
				this.browser.notBefore(late);
			}
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	@Test
	void anOutageOfTheBrokerIsToldInWordsWithAddressUserAndVirtualHost() {
		try (TcpProxy proxy = TcpProxy.toBroker();
				TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = relaying(Servers.database().fresh()).sendingTo(queue)
					.brokerThrough(proxy)
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			open(application, 1280, 900, false);
			proxy.stop();
			application.publish(new OrderPlaced("a", 2));
			this.browser.await("document.querySelector('#banner').textContent.includes('refused')");
			assertThat(this.browser.text("#banner"))
				.startsWith("The relay cannot work: RabbitMQ cannot be reached at %s:%d (user '%s', virtual host '"
					.formatted(proxy.host(), proxy.port(), property(application, "spring.rabbitmq.username")))
				.doesNotContain("io.orderedoutbox", "org.", "java.", "TransportException");
			this.browser.screenshot("broker-away");
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	@Test
	void anOutageOfTheDatabaseIsToldInWordsWithAddressAndUser() {
		Database database = Servers.database().fresh();
		try (TcpProxy proxy = TcpProxy.to(database);
				OutboxApplication application = relaying(database).databaseThrough(proxy)
					.with("spring.datasource.hikari.connection-timeout", "1000")
					.start()) {
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#link').textContent === 'live'");
			proxy.stop();
			// The relay may be the first that notices, and is named until the sample
			// fails. A sample that was under way says that it has lost its connection
			this.browser.await("document.querySelector('#link').textContent === 'database lost'");
			this.browser.await("document.querySelector('#banner').textContent.includes('cannot be reached')");
			assertThat(this.browser.text("#banner"))
				.containsPattern("^The database " + named(database, proxy) + " cannot be reached: ")
				.doesNotContain("io.orderedoutbox", "org.", "java.");
			if (!database.password().isEmpty()) {
				assertThat(this.browser.text("#banner")).doesNotContain("password=" + database.password());
			}
			proxy.start();
			this.browser.await("document.querySelector('#banner').hidden");
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	@Test
	void aDatabaseThatDoesNotAnswerIsToldWithAddressAndUser() {
		Database database = Servers.database().fresh();
		try (TcpProxy proxy = TcpProxy.to(database);
				// The pool waits for longer than the page does, in all that it asks
				OutboxApplication application = relaying(database).databaseThrough(proxy).start()) {
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#link').textContent === 'live'");
			proxy.freeze();
			this.browser.await("document.querySelector('#banner').textContent.includes('has not answered for')");
			assertThat(this.browser.text("#banner"))
				.containsPattern("^The database " + named(database, proxy) + " has not answered for ");
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	private static String named(Database database, TcpProxy proxy) {
		return "jdbc:[a-z]+://%s:%d/\\w+ \\(user '%s'\\)".formatted(proxy.host().replace(".", "\\."), proxy.port(),
				database.username());
	}

	@Test
	void anApplicationThatDoesNotAnswerIsNamedToo() {
		String address;
		try (OutboxApplication application = served().start()) {
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#link').textContent === 'live'");
			address = WebClient.of(application, "").address();
		}
		this.browser.await("document.querySelector('#link').textContent === 'lost'");
		assertThat(this.browser.text("#banner")).isEqualTo("The application at %s does not answer.".formatted(address));
	}

	@Test
	void whatWaitsForOneDestinationAndCauseIsRetriedTogether() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = relaying(Servers.database().fresh()).sendingTo(queue)
					.with("outbox.retry.max-attempts", "1")
					.start()) {
			for (int order = 0; order < 10; order++) {
				application.publish(new OrderLost("order-" + order, 1), new OrderPlaced("order-" + order, 2));
			}
			open(application, 1280, 1300, false);
			String where = "exchange '" + queue.exchange() + "'";
			this.browser.await("document.querySelector('#groups strong')?.textContent === %s"
				.formatted(Chromium.quoted("10 keys wait for " + where)));
			assertThat(this.browser.evaluate("document.querySelectorAll('#groups li').length").asInt()).isOne();
			assertThat(this.browser.text("#groups li")).contains("10 blocked", "oldest stored", "for example");
			this.browser.screenshot("groups");
			this.browser.evaluate(
					"""
							[...document.querySelectorAll('#groups button')].find((one) => one.textContent === '10 blocked').click()""");
			this.browser.await("document.querySelectorAll('#messages tbody tr[data-state=blocked]').length === 10");
			assertThat(this.browser.evaluate("document.querySelector('#search-by').value").asString())
				.isEqualTo("group");
			this.browser.click("#groups [aria-label^=skip]");
			this.browser.await("document.querySelector('#confirm').open");
			assertThat(this.browser.text("#confirm")).contains("Skip all that waits for " + where + "?",
					"Now: 10 messages affected.");
			this.browser.press("Escape");
			this.browser.await("!document.querySelector('#confirm').open");
			this.browser.window(390, 1600, true);
			assertThat(this.browser.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(390);
			this.browser.screenshot("groups-phone-dark");
			queue.bind("#");
			this.browser.click("#groups [aria-label^=retry]");
			this.browser.await("document.querySelector('#toast').textContent === 'Retry: 10 messages done'");
			this.browser.await("document.querySelectorAll('#groups li').length === 0");
			queue.await(20);
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	@Test
	void deadLettersOfOneDestinationAndCauseAreRequeuedTogether() {
		try (OutboxApplication application = served().start()) {
			for (String order : List.of("order-1", "order-2")) {
				application.publish(new OrderPlaced(order, 1));
				FailedKey.fail(application.jdbc(), order, FailedKey.NEVER);
			}
			WebClient.of(application, "/outbox/api").asPage().post("/skip", "{\"all\":true}");
			open(application, 1280, 900, false);
			this.browser
				.await("document.querySelector('#groups strong')?.textContent.startsWith('2 dead letters for ')");
			this.browser.click("#groups [aria-label^=requeue]");
			this.browser.await("document.querySelector('#confirm').open");
			this.browser.click("#confirm-yes");
			this.browser.await("document.querySelector('#toast').textContent === 'Requeue: 2 messages done'");
			assertThat(application.depth()).isEqualTo(2);
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	private static String property(OutboxApplication application, String name) {
		return String.valueOf(application.context().getEnvironment().getProperty(name));
	}

	private String pressed() {
		return this.browser.evaluate("document.querySelector('#states [aria-pressed=true]').dataset.state").asString();
	}

	private void follow(String link) {
		this.browser.click(link);
	}

	private void search(String key) {
		this.browser.evaluate("""
				document.querySelector('#search-for').value = %s;
				document.querySelector('#search').requestSubmit()""".formatted(Chromium.quoted(key)));
	}

	private static Builder served() {
		return relaying(Servers.database().fresh()).withoutRelay();
	}

	private static Builder relaying(Database database) {
		return WebClient.served(OutboxApplication.on(database)).with("outbox.monitor.enabled", "true");
	}

	private void open(OutboxApplication application, int width, int height, boolean dark) {
		this.browser.window(width, height, dark);
		this.browser.open(WebClient.of(application, "/outbox/").address());
	}

}
