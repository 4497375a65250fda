/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.inbox.monitor.ShardedConsumer;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.servers.Chromium;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.FailedKey;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The monitor page in a real browser. Skipped where there is none.
 */
@EnabledIf("io.orderedoutbox.servers.Chromium#isThere")
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
@Tag("slow")
@Tag("thorough")
class MonitorPageInBrowserTests {

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
	void anEmptyOutboxAndABlockedKeyThatIsRetriedByItsButton() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = served(Servers.database().fresh()).sendingTo(queue)
					.with("outbox.retry.max-attempts", "1")
					.start()) {
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#tile-backlog .figure').textContent === '0'");
			this.browser
				.await("document.querySelector('#stuck-empty').textContent === 'Nothing is stalled or blocked.'");
			assertThat(this.browser.text("#link")).isEqualTo("live");
			assertThat(this.browser.text("#tile-relay .figure")).isEqualTo("running");
			this.browser.screenshot("empty");
			application.publish(new OrderPlaced("order-1", 1), new OrderLost("order-17", 1),
					new OrderPlaced("order-17", 2), new OrderPlaced("order-17", 3));
			this.browser.await("document.querySelector('#tile-blocked .figure').textContent === '1'");
			this.browser.await("document.querySelector('#stuck li') !== null");
			assertThat(this.browser.text("#stuck li")).contains("blocked", "order-17", "order.lost",
					"2 wait behind it");
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 2");
			queue.bind("#");
			click("Retry");
			queue.await(4);
			this.browser.await("document.querySelector('#tile-blocked .figure').textContent === '0'");
			this.browser.await("document.querySelector('#stuck').children.length === 0");
			assertThat(this.browser.text("#toast")).isEqualTo("Retry: 1 message done");
			this.browser.await("document.querySelector('#chart-note').textContent.startsWith('4 messages')");
			thereAreNoComplaints(application);
		}
	}

	@Test
	void whatCannotBeUndoneIsForetoldAndConfirmed() {
		try (OutboxApplication application = served(Servers.database().fresh()).withoutRelay().start()) {
			application.publish(new OrderPlaced("order-1", 1), new OrderPlaced("order-1", 2));
			FailedKey.fail(application.jdbc(), "order-1", FailedKey.NEVER);
			open(application, 1280, 900, false);
			assertThat(this.browser.evaluate("document.querySelector('#pause').hidden").asBoolean()).isTrue();
			this.browser.await("document.querySelector('#stuck li') !== null");
			click("Skip");
			this.browser.await("document.querySelector('#confirm').open");
			assertThat(this.browser.text("#confirm")).contains("Skip the message order.placed of order-1?",
					"consumers will see a gap", "It becomes a dead letter", "Now: 1 message affected.");
			this.browser.screenshot("confirm");
			this.browser.press("Escape");
			this.browser.await("!document.querySelector('#confirm').open");
			assertThat(application.depth()).isEqualTo(2);
			click("Skip");
			this.browser.await("document.querySelector('#confirm').open");
			// The first choice is not to do it
			this.browser.press("Tab");
			this.browser.press("Enter");
			this.browser.await("document.querySelector('#tile-dead .figure').textContent === '1'");
			assertThat(application.depth()).isEqualTo(1);
			this.browser.click("#states [data-state=dead]");
			this.browser.await("document.querySelector('#messages tbody tr[data-state=dead]') !== null");
			click("Requeue");
			this.browser.await("document.querySelector('#confirm').open");
			this.browser.click("#confirm-yes");
			this.browser.await("document.querySelector('#tile-dead .figure').textContent === '0'");
			assertThat(application.depth()).isEqualTo(2);
			thereAreNoComplaints(application);
		}
	}

	@Test
	void messagesAreSearchedAndTurnedOver() {
		try (OutboxApplication application = served(Servers.database().fresh()).withoutRelay()
			.with("outbox.monitor.show-payloads", "true")
			.start()) {
			application
				.publish(IntStream.range(0, 120).mapToObj((number) -> new OrderPlaced("order-" + number, 1)).toArray());
			UUID id = application.publish(new OrderPlaced("needle", 7));
			application.publish(new OrderPlaced("needle ", 8));
			application
				.inTransaction((outbox) -> outbox.publish(new OrderPlaced("ignored", 9), PartitionKeyStamp.none()));
			application.jdbc()
				.sql("UPDATE outbox_message SET payload = ? WHERE message_id = ?")
				.params("{\"version\":7,\"total\":12345678901234567890.10,\"note\":\"a, {b}: \\\"c\\\"\",\"no\":[],\"lines\":[1,{}]}",
						id.toString())
				.update();
			open(application, 1280, 900, false);
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 50");
			this.browser.click("#more");
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 100");
			search("key", "needle");
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 1");
			search("id", id.toString());
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 1");
			this.browser.click("#messages tbody .link-like");
			this.browser.await("document.querySelector('#detail').open");
			assertThat(this.browser.text("#detail")).contains(id.toString(), "needle", "due");
			assertThat(this.browser.evaluate("document.querySelector('#detail-payload').textContent").asString())
				.isEqualTo("""
						{
						  "version": 7,
						  "total": 12345678901234567890.10,
						  "note": "a, {b}: \\"c\\"",
						  "no": [],
						  "lines": [
						    1,
						    {}
						  ]
						}""");
			this.browser.screenshot("message");
			this.browser.press("Escape");
			search("key", "needle ");
			this.browser.await("document.querySelector('#messages tbody td').textContent === 'needle '");
			assertThat(this.browser.evaluate("document.querySelectorAll('#messages tbody tr').length").asInt())
				.isEqualTo(1);
			search("none", "whatever");
			this.browser.await("document.querySelector('#messages tbody td').textContent === 'no key'");
			assertThat(this.browser.evaluate("document.querySelectorAll('#messages tbody tr').length").asInt())
				.isEqualTo(1);
			assertThat(this.browser.evaluate("document.querySelector('#search-for').disabled").asBoolean()).isTrue();
			search("name", "é");
			this.browser.await("document.querySelector('#toast').textContent.includes('must be ASCII')");
			thereAreNoComplaints(application);
		}
	}

	@Test
	void whatSomebodyHasStoredIsTextAndNothingElse() {
		String attack = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'><svg onload=alert(3)>";
		try (OutboxApplication application = served(Servers.database().fresh()).withoutRelay()
			.with("outbox.monitor.show-payloads", "true")
			.start()) {
			application.publish(new OrderPlaced("victim", 1));
			application.jdbc()
				.sql("UPDATE outbox_message SET partition_key = :it, name = :it, exchange = :it, routing_key = :it, "
						+ "content_type = :it, payload = :it, headers = JSON_OBJECT(:it, :it)")
				.param("it", attack)
				.update();
			FailedKey.fail(application.jdbc(), attack, FailedKey.NEVER);
			application.jdbc().sql("UPDATE outbox_message SET last_error = :it").param("it", attack).update();
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#stuck li') !== null");
			assertThat(this.browser.text("#stuck .link-like")).isEqualTo(attack);
			assertThat(this.browser.text("#stuck .name")).isEqualTo(attack);
			assertThat(this.browser.text("#stuck .reason")).isEqualTo(attack);
			this.browser.click("#states [data-state=blocked]");
			this.browser.await("document.querySelector('#messages tbody tr[data-state=blocked]') !== null");
			assertThat(this.browser
				.evaluate("[...document.querySelectorAll('#messages tbody td')]"
						+ ".filter((cell) => cell.textContent === %s).length".formatted(Chromium.quoted(attack)))
				.asInt()).as("key, name and error").isEqualTo(3);
			this.browser.click("#stuck .link-like");
			this.browser.await("document.querySelector('#detail').open");
			assertThat(this.browser.text("#detail-headers dt")).isEqualTo(attack);
			assertThat(this.browser.text("#detail-headers dd")).isEqualTo(attack);
			assertThat(this.browser.text("#detail-payload")).isEqualTo(attack);
			this.browser.press("Escape");
			click("Skip");
			this.browser.await("document.querySelector('#confirm').open");
			assertThat(this.browser.text("#confirm-title")).contains(attack);
			this.browser.screenshot("attack");
			assertThat(this.browser
				.evaluate("document.querySelectorAll('main img, main script, dialog img, "
						+ "dialog script, main svg:not(#chart), dialog svg').length")
				.asInt()).isZero();
			thereAreNoComplaints(application);
		}
	}

	@Test
	void evenIfItWereMarkupThePolicyWouldNotLetItRun() {
		try (OutboxApplication application = served(Servers.database().fresh()).withoutRelay().start()) {
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#link').textContent === 'live'");
			thereAreNoComplaints(application);
			this.browser.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(9)>')");
			Awaitility.await().until(() -> !this.browser.complaints().isEmpty());
			assertThat(this.browser.complaints()).hasSize(1)
				.first()
				.asString()
				.contains("Content Security Policy", "inline event handler");
			this.browser.complaints().clear();
		}
	}

	@Test
	void whoIsSignedInActsWithTheTokenOfTheApplication() {
		try (OutboxApplication application = MonitorPageSecurityTests
			.secured(OutboxApplication.on(Servers.database().fresh()))
			.with(MonitorPageSecurityTests.Login.class)
			.withoutRelay()
			.start()) {
			application.publish(new OrderPlaced("order-1", 1));
			FailedKey.fail(application.jdbc(), "order-1", FailedKey.NEVER);
			this.browser.open(WebClient.of(application, "/login").address());
			this.browser.evaluate("""
					document.querySelector('[name=username]').value = 'olga';
					document.querySelector('[name=password]').value = 'secret';
					fetch('login', { method: 'POST', body: new URLSearchParams(new FormData(document.forms[0])) })
					  .then((response) => response.status)""");
			this.browser.complaints().clear();
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#tile-blocked .figure').textContent === '1'");
			click("Retry");
			this.browser.await("document.querySelector('#tile-blocked .figure').textContent === '0'");
			assertThat(application.count("attempts = 3")).isZero();
			this.browser.forgetCookies();
			this.browser.await("document.querySelector('#link').textContent === 'signed out'");
			assertThat(this.browser.text("#banner")).isEqualTo("You are not signed in: load this page again.");
			assertThat(this.browser.text("#tile-blocked .figure")).isEqualTo("–");
			thereAreNoComplaints(application);
		}
	}

	@Test
	void theWorkersOfAllInstancesAreSeen() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication first = instance(database, queue, 2).brokerThrough(proxy)
					.with("outbox.relay.confirm-timeout", "15s")
					.start();
				OutboxApplication third = instance(database, queue, 1).start();
				OutboxApplication writer = served(database).withoutRelay().start()) {
			try (OutboxApplication second = instance(database, queue, 3).start()) {
				open(first, 1280, 900, false);
				this.browser.await("document.querySelectorAll('#workers tbody').length === 3");
				this.browser.await("document.querySelectorAll('#workers tbody tr').length === 6");
				this.browser.await("document.querySelector('#tile-workers .figure').textContent === '0 / 6'");
				assertThat(this.browser.text("#tile-workers .note")).isEqualTo("busy, in 3 instances");
				assertThat(this.browser.text("#workers-note")).isEqualTo("3 instances");
				assertThat(this.browser.text("#workers tbody:nth-child(2) th"))
					.contains("process " + ProcessHandle.current().pid(), "this one");
				assertThat(this.browser.text("#workers tbody:nth-child(3) th")).doesNotContain("this one");
				first.publish(new OrderPlaced("a", 0));
				queue.await(1);
				proxy.holdReplies();
				first.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
				this.browser.await("document.querySelector('#tile-workers .figure').textContent === '1 / 6'");
				this.browser.await("[...document.querySelectorAll('#workers tr')].some((row) => "
						+ "row.querySelector('[data-state=busy]') !== null && row.lastChild.textContent === '2')");
				proxy.thaw();
				second.publish(new OrderPlaced("c", 1));
				third.publish(new OrderPlaced("d", 1));
				queue.await(5);
				this.browser.await("document.querySelector('#tile-hour .figure').textContent === '5'");
				this.browser.await("document.querySelector('#chart-note').textContent.startsWith('5 messages')");
				assertThat(this.browser.text("#chart-title")).isEqualTo("Published by all instances");
				this.browser.await("document.querySelector('#tile-workers .figure').textContent === '0 / 6'");
			}
			this.browser.await("document.querySelectorAll('#workers tbody').length === 2");
			this.browser.await("document.querySelector('#tile-workers .figure').textContent === '0 / 3'");
			thereAreNoComplaints(first);
			open(writer, 1280, 900, false);
			this.browser.await("document.querySelectorAll('#workers tbody').length === 3");
			assertThat(this.browser.text("#workers tbody:nth-child(2)")).contains("this one", "It only writes.");
			assertThat(this.browser.text("#tile-workers .note")).isEqualTo("busy, in 2 instances");
		}
	}

	@Test
	void itCanBeReadOnAPhoneAndInTheDark() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication first = slow(database, queue, proxy).start();
				OutboxApplication second = slow(database, queue, proxy).start();
				OutboxApplication third = slow(database, queue, proxy).start()) {
			List<OutboxApplication> instances = List.of(first, second, third);
			fill(queue, instances);
			// From now on the broker takes its time
			proxy.holdReplies();
			for (OutboxApplication instance : instances) {
				instance.publish(IntStream.range(0, 90).mapToObj((n) -> new OrderPlaced("order-" + n, 2)).toArray());
			}
			for (boolean dark : List.of(false, true)) {
				see(first, 1280, 1600, dark, dark ? "dark" : "light");
				see(first, 800, 1000, dark, dark ? "tablet-dark" : "tablet-light");
				see(first, 390, 844, dark, dark ? "phone-dark" : "phone-light");
				see(first, 390, 2400, dark, dark ? "phone-long-dark" : "phone-long-light");
			}
			proxy.thaw();
			thereAreNoComplaints(first);
		}
	}

	private static Builder slow(Database database, TestQueue queue, TcpProxy proxy) {
		return instance(database, queue, 2).brokerThrough(proxy)
			.with("outbox.relay.lock-timeout", "4m")
			.with("outbox.relay.confirm-timeout", "2m");
	}

	private void see(OutboxApplication application, int width, int height, boolean dark, String name) {
		open(application, width, height, dark);
		this.browser.await("document.querySelectorAll('#stuck li').length === 3");
		this.browser.await("document.querySelectorAll('#messages tbody tr').length > 3");
		this.browser.await("document.querySelectorAll('#workers tbody').length === 3");
		this.browser.await("document.querySelector('#tile-hour .figure').textContent === '1,209'");
		this.browser.await("document.querySelector('#tile-backlog .figure').textContent === '279'");
		this.browser.await("document.querySelector('#tile-lag .note').textContent === 'oldest that is due'");
		fits(width);
		this.browser.screenshot(name);
	}

	// Relays only what is published in it
	private static Builder instance(Database database, TestQueue queue, int workers) {
		return served(database).sendingTo(queue)
			.with("outbox.relay.workers", workers)
			.with("outbox.relay.poll-interval", "1h")
			.with("outbox.monitor.heartbeat-interval", "1s");
	}

	// Three keys have failed, and wait
	private static void fill(TestQueue queue, List<OutboxApplication> instances) {
		for (OutboxApplication instance : instances) {
			instance.publish(IntStream.range(0, 400).mapToObj((n) -> new OrderPlaced("order-" + n, 1)).toArray());
			instance.awaitEmpty();
		}
		queue.await(1200);
		OutboxApplication application = instances.get(0);
		application.bean(OutboxRelay.class).pause();
		for (int order : List.of(1017, 1042, 1066, 1071, 1080, 1099)) {
			application.publish(new OrderPlaced("order-" + order, 1), new OrderPlaced("order-" + order, 2),
					new OrderPlaced("order-" + order, 3));
		}
		FailedKey.fail(application.jdbc(), "order-1042", FailedKey.NEVER);
		FailedKey.fail(application.jdbc(), "order-1071", "TIMESTAMPADD(MINUTE, 2, UTC_TIMESTAMP(6))");
		FailedKey.fail(application.jdbc(), "order-1080", "TIMESTAMPADD(MINUTE, 9, UTC_TIMESTAMP(6))");
		application.jdbc()
			.sql("UPDATE outbox_message SET exchange = 'shop', last_error = 'The broker returned it: 312 NO_ROUTE for exchange "
					+ "''shop'', routing key ''order.placed''' WHERE last_error IS NOT NULL")
			.update();
		application.bean(OutboxRelay.class).resume();
		application.awaitDepth(9);
		// In this test they are in one process
		application.jdbc()
			.sql("UPDATE outbox_worker JOIN (SELECT instance, ROW_NUMBER() OVER (ORDER BY started_at) AS number "
					+ "FROM outbox_worker WHERE id = 1) numbered USING (instance) "
					+ "SET host = CONCAT('shop-', number), pid = 4000 + 137 * number")
			.update();
	}

	@Test
	void aDatabaseThatIsAwayIsToldAndItsReturnToo() {
		Database database = Servers.database().fresh();
		try (TcpProxy proxy = TcpProxy.to(database);
				OutboxApplication application = served(database).withoutRelay()
					.databaseThrough(proxy)
					.with("spring.datasource.hikari.connection-timeout", "1000")
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#tile-backlog .figure').textContent === '1'");
			this.browser.await("document.querySelector('#workers tbody') !== null");
			this.browser.click("#states [data-state=dead]");
			this.browser.await("document.querySelector('#messages-empty').textContent === 'No message is dead.'");
			seesThatNothingIsStuck("0");
			proxy.stop();
			this.browser.await("!document.querySelector('#banner').hidden");
			this.browser.await("document.querySelector('#tile-backlog .figure').textContent === '–'");
			assertThat(this.browser.text("#banner")).contains("database");
			nothingIsAsserted();
			this.browser.screenshot("database-away");
			proxy.start();
			this.browser.await("document.querySelector('#banner').hidden");
			this.browser.await("document.querySelector('#tile-backlog .figure').textContent === '1'");
			this.browser.await("document.querySelector('#messages-empty').textContent === 'No message is dead.'");
			seesThatNothingIsStuck("0");
			FailedKey.fail(application.jdbc(), "a", FailedKey.NEVER);
			this.browser.await("document.querySelector('#stuck li') !== null");
			proxy.stop();
			this.browser.await("!document.querySelector('#banner').hidden");
			assertThat(this.browser.text("#stuck-empty"))
				.isEqualTo("Last known: it is not known what is stalled or blocked now.");
			thereAreNoComplaints(application);
		}
	}

	private void seesThatNothingIsStuck(String inTheLastHour) {
		this.browser.await("document.querySelector('#stuck-empty').textContent === 'Nothing is stalled or blocked.'");
		this.browser.await("document.querySelector('#workers-note').textContent === '1 instance'");
		assertThat(this.browser.text("#tile-hour .figure")).isEqualTo(inTheLastHour);
		assertThat(this.browser.text("#chart-note")).isEqualTo("nothing in the last 60 minutes");
	}

	// What is not known any more is neither zero nor nothing
	private void nothingIsAsserted() {
		for (String tile : List.of("backlog", "lag", "hour", "workers", "stalled", "blocked", "dead")) {
			assertThat(this.browser.text("#tile-" + tile)).as(tile).contains("–", "unknown");
		}
		assertThat(this.browser.text("#chart-note")).isEqualTo("last known: nothing in the last 60 minutes");
		assertThat(this.browser.evaluate("document.querySelector('#chart').ariaLabel").asString())
			.contains("last known");
		assertThat(this.browser.text("#stuck-empty"))
			.isEqualTo("It is not known whether anything is stalled or blocked.");
		assertThat(this.browser.text("#messages-empty")).isEqualTo("It is not known which messages are dead.");
		assertThat(this.browser.text("#workers-note")).isEqualTo("last known");
	}

	@Test
	void theRelayIsPausedAndResumedByKeyboard() {
		try (OutboxApplication application = served(Servers.database().fresh()).start()) {
			open(application, 1280, 900, false);
			this.browser.await("!document.querySelector('#pause').hidden");
			for (String tile : List.of("Backlog", "Lag", "Published", "Workers", "Stalled", "Blocked", "Dead letters",
					"This instance")) {
				this.browser.press("Tab");
				assertThat(focused()).isEqualTo(tile);
			}
			this.browser.press("Tab");
			this.browser.await("document.activeElement.id === 'pause'");
			this.browser.press("Enter");
			this.browser.await("document.querySelector('#tile-relay .figure').textContent === 'paused'");
			this.browser.await("document.querySelector('#pause').textContent === 'Resume'");
			this.browser.await("document.activeElement.id === 'pause'");
			this.browser.press("Enter");
			this.browser.await("document.querySelector('#tile-relay .figure').textContent === 'running'");
			thereAreNoComplaints(application);
		}
	}

	@Test
	void aBlockedKeyIsRetriedByKeyboard() {
		try (OutboxApplication application = served(Servers.database().fresh()).withoutRelay().start()) {
			application.publish(new OrderPlaced("order-1", 1));
			FailedKey.fail(application.jdbc(), "order-1", FailedKey.NEVER);
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#stuck li') !== null");
			this.browser.evaluate("document.querySelector('#tile-relay a').focus()");
			for (String next : List.of("Any time", "Retry all", "order-1", "Retry")) {
				this.browser.press("Tab");
				assertThat(focused()).isEqualTo(next);
			}
			this.browser.press("Enter");
			this.browser.await("document.querySelector('#tile-blocked .figure').textContent === '0'");
			this.browser.await("document.querySelector('#toast').textContent === 'Retry: 1 message done'");
			thereAreNoComplaints(application);
		}
	}

	@Test
	void anIdIsFoundInWhateverStateItsMessageIs() {
		try (OutboxApplication application = served(Servers.database().fresh()).withoutRelay().start()) {
			UUID id = application.publish(new OrderPlaced("order-1", 1));
			application.publish(new OrderPlaced("order-2", 1));
			FailedKey.fail(application.jdbc(), "order-1", FailedKey.NEVER);
			open(application, 1280, 900, false);
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 1");
			search("id", id.toString());
			this.browser.await("document.querySelector('#messages-empty').textContent"
					+ " === 'This message is not pending but blocked.'");
			this.browser.click("#states [data-state=blocked]");
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 1");
			thereAreNoComplaints(application);
		}
	}

	@Test
	void aSecondQuestionDoesNotAnswerTheFirst() {
		try (OutboxApplication application = served(Servers.database().fresh()).withoutRelay().start()) {
			application.publish(new OrderPlaced("order-1", 1), new OrderPlaced("order-2", 1));
			FailedKey.fail(application.jdbc(), "order-1", FailedKey.NEVER);
			FailedKey.fail(application.jdbc(), "order-2", FailedKey.NEVER);
			open(application, 1280, 900, false);
			this.browser.await("document.querySelectorAll('#stuck li').length === 2");
			this.browser.evaluate("document.querySelectorAll('#stuck .quiet').forEach((skip) => skip.click())");
			this.browser.await("document.querySelector('#confirm').open");
			assertThat(this.browser.text("#confirm-title")).contains("order-1");
			this.browser.click("#confirm-yes");
			this.browser.await("document.querySelector('#tile-dead .figure').textContent === '1'");
			assertThat(application.count("partition_key = 'order-2'")).isEqualTo(1);
			assertThat(requestsFor("/api/skip")).as("one dry run and one that is not").isEqualTo(2);
			thereAreNoComplaints(application);
		}
	}

	@Test
	void whoReadsOnIsNotDisturbedAndSeesWhatAVerbHasDone() {
		try (OutboxApplication application = served(Servers.database().fresh()).withoutRelay().start()) {
			application
				.publish(IntStream.range(0, 120).mapToObj((number) -> new OrderPlaced("order-" + number, 1)).toArray());
			for (int order = 0; order < 30; order++) {
				FailedKey.fail(application.jdbc(), "order-" + order, FailedKey.NEVER);
			}
			open(application, 1280, 900, false);
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 50");
			// The next page takes longer than the lists are left alone
			this.browser.evaluate("""
					let looks = 0;
					const ask = window.fetch;
					window.fetch = async (...request) => {
					  looks += String(request[0]).endsWith('/overview') ? 1 : 0;
					  const begin = looks;
					  while (String(request[0]).includes('after=') && looks < begin + 5) {
					    await new Promise((resolve) => requestAnimationFrame(resolve));
					  }
					  return ask(...request);
					}""");
			this.browser.click("#more");
			this.browser.await("document.querySelector('#more').disabled");
			this.browser.await("!document.querySelector('#more').disabled || document.querySelector('#more').hidden");
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 90");
			this.browser.click("#states [data-state=blocked]");
			this.browser.await("document.querySelectorAll('#messages tbody tr[data-state=blocked]').length === 20");
			this.browser.click("#more");
			this.browser.await("document.querySelectorAll('#messages tbody tr[data-state=blocked]').length === 30");
			this.browser.evaluate("document.querySelector('#messages tbody .small').click()");
			this.browser.await("document.querySelector('#tile-blocked .figure').textContent === '29'");
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 20");
			assertThat(this.browser.text("#messages tbody")).doesNotContain("order-0\t");
			assertThat(this.browser.evaluate("document.querySelector('#more').hidden").asBoolean()).isFalse();
			thereAreNoComplaints(application);
		}
	}

	@Test
	void whereABrowserDoesNotSayFromWhereItAsksThePageWorksAllTheSame() {
		try (OutboxApplication application = served(Servers.database().fresh())
			.with("outbox.monitor.allowed-hosts", "shop.example")
			.start()) {
			String address = WebClient.of(application, "/outbox/").address();
			this.browser.window(1280, 900, false);
			this.browser.open(address.replace("localhost", "shop.example"));
			this.browser.await("document.querySelector('#link').textContent === 'live'");
			assertThat(this.browser.evaluate("isSecureContext").asBoolean()).isFalse();
			this.browser.click("#pause");
			this.browser.await("document.querySelector('#tile-relay .figure').textContent === 'paused'");
			assertThat(this.browser.complaints()).isEmpty();
			this.browser.open(address.replace("localhost", "evil.example"));
			assertThat(this.browser.text("body")).contains("evil.example", "outbox.monitor.allowed-hosts");
		}
	}

	@Test
	void anApplicationThatIsGoneIsNotSaidToRun() {
		String address;
		try (OutboxApplication application = served(Servers.database().fresh()).start()) {
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#tile-relay .figure').textContent === 'running'");
			address = WebClient.of(application, "").address();
		}
		this.browser.await("document.querySelector('#link').textContent === 'lost'");
		assertThat(this.browser.text("#banner")).isEqualTo("The application at %s does not answer.".formatted(address));
		assertThat(this.browser.text("#tile-relay .figure")).isEqualTo("–");
		assertThat(this.browser.evaluate("document.querySelector('#pause').hidden").asBoolean()).isTrue();
	}

	@Test
	void theRelaysOfAllInstancesArePausedAndResumed() {
		try (OutboxApplication application = served(Servers.database().fresh()).start()) {
			open(application, 1280, 900, false);
			this.browser.await("!document.querySelector('#pause-all').hidden");
			this.browser.click("#pause-all");
			this.browser.await("document.querySelector('#pause-all').textContent === 'Resume all'");
			this.browser.await("document.querySelector('#tile-relay .figure').textContent === 'paused'");
			this.browser.await("document.querySelector('#pause').hidden");
			this.browser.click("#pause-all");
			this.browser.await("document.querySelector('#pause-all').textContent === 'Pause all'");
			this.browser.await("document.querySelector('#tile-relay .figure').textContent === 'running'");
			this.browser.await("!document.querySelector('#pause').hidden");
			thereAreNoComplaints(application);
		}
	}

	@Test
	void whatWasPublishedIsShownWhereItIsKept() {
		Database database = Servers.database().fresh();
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = served(database).sendingTo(queue)
					.with("outbox.archive.enabled", "true")
					.start();
				OutboxApplication without = served(database).withoutRelay().start()) {
			application.publish(new OrderPlaced("order-1", 1), new OrderPlaced("order-2", 1),
					new OrderPlaced("order-2", 2));
			queue.await(3);
			application.awaitEmpty();
			open(application, 1280, 1300, false);
			this.browser.await("!document.querySelector('#archived').hidden");
			this.browser.click("#archived");
			this.browser.await("document.querySelectorAll('#messages tbody tr[data-state=archived]').length === 3");
			assertThat(this.browser.text("#messages-time")).isEqualTo("Published");
			assertThat(this.browser.evaluate("document.querySelectorAll('#messages .actions button').length").asInt())
				.as("nothing can be done to them")
				.isZero();
			search("key", "order-2");
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 2");
			this.browser.click("#messages tbody .link-like");
			this.browser.await("document.querySelector('#detail').open");
			assertThat(this.browser.text("#detail")).contains("order-2", "archived", "Published");
			this.browser.press("Escape");
			this.browser.screenshot("archived");
			this.browser.click("#states [data-state=dead]");
			this.browser.await("document.querySelector('#messages-time').textContent === 'Stored'");
			for (boolean dark : List.of(false, true)) {
				open(application, 390, 844, dark);
				this.browser.await("!document.querySelector('#archived').hidden");
				this.browser.click("#archived");
				this.browser.await("document.querySelectorAll('#messages tbody tr[data-state=archived]').length === 3");
				fits(390);
				this.browser.evaluate("document.querySelector('#messages-title').scrollIntoView()");
				this.browser.screenshot(dark ? "archived-phone-dark" : "archived-phone");
			}
			thereAreNoComplaints(application);
			open(without, 1280, 900, false);
			this.browser.await("document.querySelector('#tile-backlog .figure').textContent === '0'");
			assertThat(this.browser.evaluate("document.querySelector('#archived').hidden").asBoolean()).isTrue();
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	@Test
	void messagesOfARangeOfTimeAreFoundInEveryStateUntilALinkLeadsElsewhere() {
		try (OutboxApplication application = served(Servers.database().fresh()).withoutRelay().start()) {
			application.publish(new OrderPlaced("old", 1), new OrderPlaced("new", 1));
			application.jdbc()
				.sql("UPDATE outbox_message SET created_at = '2026-01-02 12:00:00' WHERE partition_key = 'old'")
				.update();
			open(application, 1280, 900, false);
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 2");
			range("search-until", "2026-01-02T12:00:01Z");
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 1");
			assertThat(this.browser.text("#messages tbody td")).isEqualTo("old");
			this.browser.click("#states [data-state=due]");
			this.browser.await("document.querySelector('#states [data-state=due]').ariaPressed === 'true'"
					+ " && document.querySelectorAll('#messages tbody tr').length === 1");
			range("search-from", "2026-01-02T12:00:01Z");
			this.browser.await("document.querySelector('#messages-empty').textContent === 'No such message is due.'");
			range("search-from", "2026-01-02T12:00:02Z");
			this.browser.await("document.querySelector('#toast').textContent === 'From must be before Until.'");
			long asked = requestsFor("api/messages");
			Awaitility.await().until(() -> requestsFor("api/messages") > asked);
			assertThat(this.browser.text("#link")).as("the application is there").isEqualTo("live");
			this.browser.click("#tile-backlog a");
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 2");
			assertThat(this.browser.evaluate("document.querySelector('#search-until').value").asString()).isEmpty();
			thereAreNoComplaints(application);
		}
	}

	private void range(String field, String instant) {
		this.browser.evaluate("""
				{
				  const at = new Date('%s');
				  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60000);
				  const field = document.querySelector('#%s');
				  field.value = local.toISOString().slice(0, 19);
				  field.form.requestSubmit();
				}""".formatted(instant, field));
	}

	@Test
	void whatNeedsAttentionIsNarrowedToARangeOfTimeAndOffersNoVerbForMore() {
		try (OutboxApplication application = served(Servers.database().fresh()).withoutRelay().start()) {
			application.publish(new OrderPlaced("old-1", 1), new OrderPlaced("old-2", 1), new OrderPlaced("new", 1));
			for (String key : List.of("old-1", "old-2", "new")) {
				FailedKey.fail(application.jdbc(), key, FailedKey.NEVER);
			}
			application.jdbc()
				.sql("UPDATE outbox_message SET created_at = '2026-01-02 12:00:00' WHERE partition_key <> 'new'")
				.update();
			open(application, 1280, 900, false);
			this.browser.await("document.querySelectorAll('#stuck li').length === 3");
			this.browser.await("document.querySelector('#groups strong').textContent.startsWith('3 keys wait')");
			assertThat(this.browser.text("#groups li")).contains("Retry group");
			this.browser.click("#stuck-time");
			range("stuck-until", "2026-01-02T12:00:01Z");
			this.browser.await("document.querySelectorAll('#stuck li').length === 2");
			assertThat(this.browser.text("#stuck-time")).isEqualTo("Of a range of time");
			assertThat(this.browser.text("#groups strong")).startsWith("2 keys wait");
			assertThat(this.browser.text("#groups li")).doesNotContain("Retry group");
			assertThat(this.browser.evaluate("document.querySelector('#retry-all').hidden").asBoolean()).isTrue();
			this.browser.screenshot("attention-range");
			this.browser.click("#groups .link-like");
			this.browser.await("document.querySelectorAll('#messages tbody tr[data-state=blocked]').length === 2");
			assertThat(this.browser.evaluate("document.querySelector('#search-until').value").asString()).isNotEmpty();
			range("stuck-until", "2026-01-01T12:00:00Z");
			this.browser.await("document.querySelector('#stuck-empty').textContent"
					+ " === 'Nothing of that time is stalled or blocked.'");
			range("stuck-from", "2026-01-02T12:00:00Z");
			this.browser.await("document.querySelector('#toast').textContent === 'From must be before Until.'");
			this.browser.evaluate("document.querySelector('#stuck-range').reset();"
					+ "document.querySelector('#stuck-range').requestSubmit()");
			this.browser.await("!document.querySelector('#retry-all').hidden");
			this.browser.await("document.querySelectorAll('#stuck li').length === 3");
			open(application, 390, 844, true);
			this.browser.await("document.querySelectorAll('#stuck li').length === 3");
			this.browser.click("#stuck-time");
			fits(390);
			this.browser.screenshot("attention-range-phone");
			thereAreNoComplaints(application);
		}
	}

	@Test
	void aListIsSavedAsLinesOfJson(@TempDir Path directory) throws IOException {
		try (OutboxApplication application = served(Servers.database().fresh()).withoutRelay().start()) {
			application
				.publish(IntStream.range(0, 120).mapToObj((number) -> new OrderPlaced("order-" + number, 1)).toArray());
			this.browser.saveTo(directory);
			open(application, 1280, 900, false);
			this.browser.await("document.querySelectorAll('#messages tbody tr').length === 50");
			this.browser.click("#export");
			this.browser.await("document.querySelector('#toast').textContent === 'Export: 120 messages'");
			Path saved = Awaitility.await().until(() -> saved(directory), Objects::nonNull);
			assertThat(saved.getFileName().toString()).startsWith("outbox-pending-");
			assertThat(Files.readAllLines(saved)).hasSize(120)
				.allSatisfy((line) -> assertThat(line).startsWith("{").doesNotContain("payload"));
			search("key", "nothing");
			this.browser
				.await("document.querySelector('#messages-empty').textContent === 'No such message is pending.'");
			this.browser.click("#export");
			this.browser.await("document.querySelector('#toast').textContent === 'There is nothing to export.'");
			this.browser.screenshot("export");
			thereAreNoComplaints(application);
		}
	}

	private static @Nullable Path saved(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			return files.filter((file) -> file.toString().endsWith(".ndjson")).findFirst().orElse(null);
		}
	}

	@Test
	void whatOperatorsDidIsShownToWhoAsksForIt() {
		try (OutboxApplication application = served(Servers.database().fresh()).withoutRelay().start()) {
			open(application, 1280, 900, false);
			this.browser.click("#audit-show");
			this.browser.await(
					"document.querySelector('#audit-empty').textContent === 'Nothing is recorded of what operators did.'");
			this.browser.click("#audit-show");
			this.browser.await("document.querySelector('#audit-empty').hidden");
			OutboxAdministration administration = application.bean(OutboxAdministration.class);
			IntStream.range(0, 25).forEach((number) -> administration.retry(MessageSelection.key("order-" + number)));
			this.browser.click("#audit-show");
			this.browser.await("document.querySelectorAll('#audit tbody tr').length === 20");
			assertThat(this.browser.text("#audit tbody tr")).contains("not known", "retry", "key 'order-24'");
			this.browser.click("#audit-more");
			this.browser.await("document.querySelectorAll('#audit tbody tr').length === 25");
			assertThat(this.browser.evaluate("document.querySelector('#audit-more').hidden").asBoolean()).isTrue();
			this.browser.screenshot("audit");
			application.jdbc()
				.sql("UPDATE outbox_audit SET done_at = '2026-01-02 12:00:00' WHERE selection LIKE '%order-_''%'")
				.update();
			range("audit-until", "2026-01-02T12:00:01Z");
			this.browser.await("document.querySelectorAll('#audit tbody tr').length === 10");
			assertThat(this.browser.text("#audit tbody tr")).contains("key 'order-9'");
			range("audit-until", "2026-01-02T12:00:00Z");
			this.browser.await("document.querySelector('#audit-empty').textContent"
					+ " === 'Nothing is recorded of what operators did in that time.'");
			range("audit-from", "2026-01-02T12:00:01Z");
			this.browser.await("document.querySelector('#toast').textContent === 'From must be before Until.'");
			this.browser.evaluate("document.querySelector('#audit-range').reset();"
					+ "document.querySelector('#audit-range').requestSubmit()");
			this.browser.await("document.querySelectorAll('#audit tbody tr').length === 20");
			open(application, 390, 844, true);
			this.browser.click("#audit-show");
			this.browser.await("document.querySelectorAll('#audit tbody tr').length === 20");
			fits(390);
			this.browser.evaluate("document.querySelector('#messages-title').scrollIntoView()");
			this.browser.screenshot("audit-phone-dark");
			thereAreNoComplaints(application);
		}
	}

	@Test
	void whoPausesInAnOutageSeesThatTheRelayIsPaused() {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = served(Servers.database().fresh()).brokerThrough(proxy).start()) {
			proxy.stop();
			application.publish(new OrderPlaced("a", 1));
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#tile-relay .figure').textContent === 'cannot work'");
			this.browser.await("document.querySelector('#banner').textContent.startsWith('The relay cannot work')");
			this.browser.click("#pause");
			this.browser.await("document.querySelector('#tile-relay .figure').textContent === 'paused'");
			this.browser.await("document.querySelector('#banner').hidden");
			assertThat(this.browser.text("#link")).isEqualTo("live");
			thereAreNoComplaints(application);
		}
	}

	@Test
	@RequiresRabbitMq
	void theInboxIsSeenWhereThereIsOne() throws Exception {
		try (ShardedConsumer consumer = new ShardedConsumer();
				OutboxApplication application = consumer.application()
					.with("outbox.enabled", true)
					.with("outbox.monitor.enabled", true)
					.with(ShardedConsumer.Retrying.class)
					.withoutRelay()
					.start();
				OutboxApplication without = served(Servers.database().fresh()).withoutRelay().start()) {
			consumer.publish(0, "m1", "a");
			open(application, 1280, 900, false);
			this.browser.await("document.querySelectorAll('#shards tbody tr').length === 2");
			this.browser.await("document.querySelector('#shards tbody .badge').textContent === 'unattended'");
			assertThat(this.browser.text("#shards tbody tr:first-child")).contains(consumer.queues().get(0), " for ");
			assertThat(this.browser.text("#shards tbody tr:first-child td:nth-child(3)")).isEqualTo("1");
			assertThat(this.browser.text("#shards tbody tr:first-child td:nth-child(6)")).as("keys held")
				.isEqualTo("3");
			assertThat(this.browser.text("#inbox-note")).isEqualTo("1 message in 2 queues");
			assertThat(this.browser.text("#consumers-empty")).isEqualTo("No message was delivered yet.");
			this.browser.evaluate("document.querySelector('#inbox-title').scrollIntoView()");
			this.browser.screenshot("inbox");
			thereAreNoComplaints(application);
			try (OutboxApplication consuming = consumer.application()
				.with("outbox.enabled", true)
				.with("outbox.monitor.enabled", true)
				.with(ShardedConsumer.Listener.class)
				.withoutRelay()
				.start()) {
				for (boolean dark : List.of(false, true)) {
					open(consuming, 390, 844, dark);
					this.browser.await("document.querySelector('#consumers tbody tr') !== null");
					assertThat(this.browser.text("#consumers tbody tr td:first-child")).isEqualTo("billing");
					assertThat(this.browser.text("#consumers tbody tr td:nth-child(2)")).isEqualTo("1");
					this.browser.await("document.querySelector('#shards tbody tr:first-child time') !== null");
					assertThat(this.browser.evaluate("document.querySelector('#shards .retried').hidden").asBoolean())
						.as("the factory of shards tells of retries")
						.isFalse();
					fits(390);
					this.browser.evaluate("document.querySelector('#inbox-title').scrollIntoView()");
					this.browser.screenshot(dark ? "inbox-phone-dark" : "inbox-phone");
				}
				assertThat(this.browser.complaints()).isEmpty();
			}
			open(without, 1280, 900, false);
			awaitAnswerForTheInbox(without);
			assertThat(this.browser.evaluate("document.querySelector('#inbox-card').hidden").asBoolean()).isTrue();
			assertThat(this.browser.complaints()).isEmpty();
		}
	}

	@Test
	@RequiresRabbitMq
	void deadLettersOfShardsAreReplayedAndDiscarded() throws Exception {
		try (ShardedConsumer consumer = new ShardedConsumer();
				OutboxApplication application = consumer.application()
					.with("outbox.enabled", true)
					.with("outbox.monitor.enabled", true)
					.with("outbox.rabbit.shards.retry.max-attempts", 1)
					.with("outbox.rabbit.shards.retry.on-exhausted", "dead-letter-sequence")
					.with(ShardedConsumer.Listener.class)
					.withoutRelay()
					.start()) {
			consumer.publish(1, "m1", "fail");
			Awaitility.await().until(() -> consumer.deadLetters() == 1);
			consumer.publish(1, "m2", "b");
			open(application, 1280, 900, false);
			this.browser.await("document.querySelector('#dead-letters td:nth-child(2)')?.textContent === '2'");
			this.browser.await("document.querySelector('#dead-letters td:nth-child(4)').textContent === '2'");
			assertThat(this.browser.text("#dead-letters td:nth-child(1)")).isEqualTo(consumer.name());
			assertThat(this.browser.text("#dead-letters td:nth-child(3)")).as("parked keys").isEqualTo("1");
			assertThat(this.browser.text("#dead-letters td:nth-child(5)")).endsWith("ago");
			assertThat(this.browser.text("#parked tbody tr")).contains("partition 1", "m1", "ago");
			this.browser.evaluate("document.querySelector('#inbox-title').scrollIntoView()");
			this.browser.screenshot("dead-letters");
			this.browser.click("#parked-summary");
			range("parked-until", "2026-01-01T00:00:00Z");
			this.browser.await("document.querySelector('#parked').hidden");
			this.browser.await("document.querySelector('#dead-letters td:nth-child(3)').textContent === '0'");
			assertThat(this.browser.text("#parked-summary")).isEqualTo("Keys parked in a range of time");
			this.browser.screenshot("dead-letters-range");
			this.browser.evaluate("document.querySelector('#parked-range').reset();"
					+ "document.querySelector('#parked-range').requestSubmit()");
			this.browser.await("!document.querySelector('#parked').hidden");
			click("Discard…");
			this.browser.await("document.querySelector('#confirm').open");
			this.browser.evaluate("document.querySelector('#confirm-id').value = 'm9'");
			this.browser.screenshot("dead-letters-discard");
			this.browser.click("#confirm-yes");
			this.browser.await("document.querySelector('#toast').textContent === \"There is no dead letter 'm9' of %s\""
				.formatted(consumer.name()));
			click("Discard");
			this.browser.await("document.querySelector('#confirm').open");
			assertThat(this.browser.text("#confirm-title"))
				.isEqualTo("Discard dead letter m1 of " + consumer.name() + "?");
			assertThat(this.browser.evaluate("document.querySelector('#confirm-id').parentElement.hidden").asBoolean())
				.isTrue();
			this.browser.press("Escape");
			this.browser.await("!document.querySelector('#confirm').open");
			assertThat(consumer.deadLetters()).isEqualTo(2);
			click("Discard");
			this.browser.await("document.querySelector('#confirm').open");
			this.browser.click("#confirm-yes");
			this.browser.await("document.querySelector('#toast').textContent === 'Discard: 1 message done'");
			click("Replay");
			this.browser.await("document.querySelector('#confirm').open");
			assertThat(this.browser.text("#confirm")).contains("Replay the dead letters of " + consumer.name() + "?",
					"The listener of this instance processes them");
			this.browser.click("#confirm-yes");
			this.browser.await("document.querySelector('#toast').textContent === 'Replay: 1 message done'");
			this.browser.await("document.querySelector('#parked').hidden");
			this.browser.await("document.querySelector('#consumers td:nth-child(2)')?.textContent === '1'");
			this.browser.await("document.querySelector('#dead-letters button') === null");
			thereAreNoComplaints(application);
			open(application, 390, 844, true);
			this.browser.await("document.querySelector('#dead-letters tbody tr') !== null");
			fits(390);
		}
	}

	// The page asks for the next overview when it has shown all that it has asked for
	private void awaitAnswerForTheInbox(OutboxApplication application) {
		String api = WebClient.of(application, "/outbox/api/").address();
		Awaitility.await().until(() -> {
			List<String> asked = this.browser.requests();
			int inbox = asked.indexOf(api + "inbox");
			return inbox >= 0 && asked.lastIndexOf(api + "overview") > inbox;
		});
	}

	private String focused() {
		return this.browser.evaluate("document.activeElement.textContent").asString();
	}

	private static Builder served(Database database) {
		return WebClient.served(OutboxApplication.on(database)).with("outbox.monitor.enabled", "true");
	}

	private void open(OutboxApplication application, int width, int height, boolean dark) {
		this.browser.window(width, height, dark);
		this.browser.open(WebClient.of(application, "/outbox/").address());
	}

	private void click(String button) {
		String script = "[...document.querySelectorAll('main button:enabled')].find((one) => one.textContent === '%s')"
			.formatted(button);
		this.browser.await(script);
		this.browser.evaluate(script + ".click()");
	}

	private void search(String by, String value) {
		this.browser.evaluate("""
				document.querySelector('#search-by').value = %s;
				document.querySelector('#search-by').dispatchEvent(new Event('change'));
				document.querySelector('#search-for').value = %s;
				document.querySelector('#search').requestSubmit()""".formatted(Chromium.quoted(by),
				Chromium.quoted(value)));
	}

	private void fits(int width) {
		assertThat(this.browser.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(width);
	}

	private void thereAreNoComplaints(OutboxApplication application) {
		assertThat(this.browser.complaints()).isEmpty();
		String own = WebClient.of(application, "/").address();
		assertThat(this.browser.requests()).isNotEmpty()
			.filteredOn((address) -> !address.startsWith(own) && !address.equals("about:blank"))
			// The browser has a picture of its own in a field for times
			.filteredOn((address) -> !address.startsWith("data:"))
			.as("asked elsewhere than %s", own)
			.isEmpty();
	}

	private long requestsFor(String path) {
		return this.browser.requests().stream().filter((address) -> address.contains(path)).count();
	}

}
