/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.JdbcInstances;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxInstance;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What instances know of one another.
 */
@ExtendWith(OutputCaptureExtension.class)
class InstanceHeartbeatTests {

	private static final Duration SILENCE = Duration.ofSeconds(30);

	private static final OutboxInstance SELF = new OutboxInstance("here", ProcessHandle.current().pid(), true,
			Duration.ofSeconds(10));

	private final Database database = Servers.database().fresh();

	private OutboxDatabase outbox;

	private JdbcClient jdbc;

	@BeforeEach
	void createTables() {
		application().withoutRelay().start().close();
		DriverManagerDataSource dataSource = new DriverManagerDataSource(this.database.jdbcUrl(),
				this.database.username(), this.database.password());
		this.outbox = new OutboxDatabase(dataSource, "outbox_");
		this.jdbc = JdbcClient.create(dataSource);
	}

	@Test
	void instanceThatKeepsAnotherOrderIsRefusedAtTheStart() {
		try (OutboxApplication ordered = application().start()) {
			awaitInstances(1);
			assertThatExceptionOfType(Exception.class)
				.isThrownBy(() -> application().with("outbox.ordered", false).start().close())
				.havingRootCause()
				.isInstanceOf(OutboxConfigurationException.class)
				.withMessageContainingAll("outbox.ordered=false", "outbox.ordered=true",
						"process " + ProcessHandle.current().pid());
			application().start().close();
			assertThat(ordered.outbox()).isNotNull();
		}
		application().with("outbox.ordered", false).start().close();
	}

	@Test
	void instanceThatOnlyPublishesCountsAsWell() {
		try (OutboxApplication publisher = application().withoutRelay().with("outbox.ordered", false).start()) {
			awaitInstances(1);
			assertThatExceptionOfType(Exception.class).isThrownBy(() -> application().start().close())
				.havingRootCause()
				.isInstanceOf(OutboxConfigurationException.class);
			assertThat(publisher.outbox()).isNotNull();
		}
	}

	@Test
	void instanceThatComesLaterWithAnotherOrderIsToldOfOnce(CapturedOutput output) {
		try (OutboxApplication ordered = application().with("outbox.monitor.heartbeat-interval", "1s").start()) {
			awaitInstances(1);
			JdbcInstances other = other(new OutboxInstance("elsewhere", 7, false, Duration.ofSeconds(1)));
			other.write();
			Awaitility.await()
				.untilAsserted(() -> assertThat(output).contains("differ in outbox.ordered")
					.contains("process 7 on host elsewhere"));
			other.remove();
			Awaitility.await().untilAsserted(() -> assertThat(output).contains("have the same outbox.ordered again"));
			assertThat(ordered.outbox()).isNotNull();
		}
	}

	@Test
	void instanceTakesItselfOutWhenItEnds() {
		try (OutboxApplication application = application().start()) {
			awaitInstances(1);
			assertThat(application.outbox()).isNotNull();
		}
		awaitInstances(0);
	}

	@Test
	void withoutTheTableTheOutboxWorks(CapturedOutput output) {
		this.jdbc.sql("DROP TABLE outbox_instance").update();
		try (OutboxApplication application = application().with("outbox.jdbc.initialize-schema", "never").start()) {
			Awaitility.await().untilAsserted(() -> assertThat(output).contains("outbox_instance"));
			assertThat(application.outbox()).isNotNull();
		}
	}

	@Test
	void aProcessOfThisHostThatIsGoneHasEnded() throws Exception {
		Process process = new ProcessBuilder("true").start();
		process.waitFor();
		assertEnded(new OutboxInstance("here", process.pid(), true, Duration.ofSeconds(1)));
	}

	@Test
	void anEarlierProcessWithTheSameNumberHasEnded() {
		assertEnded(new OutboxInstance("here", SELF.pid(), true, Duration.ofSeconds(20)));
	}

	@Test
	void anInstanceInTheSameProcessIsThere() {
		assertRunning(new OutboxInstance("here", SELF.pid(), true, Duration.ofSeconds(10)));
	}

	@Test
	void aProcessOfAnotherHostIsThereUntilItHasBeenSilentForLong() {
		OutboxInstance elsewhere = new OutboxInstance("elsewhere", SELF.pid(), true, Duration.ofSeconds(20));
		assertRunning(elsewhere);
		this.jdbc.sql("UPDATE outbox_instance SET heartbeat_at = heartbeat_at - INTERVAL '31' SECOND").update();
		assertThat(other(SELF).running()).isEmpty();
		assertThat(other(SELF).left()).hasSize(1);
	}

	@Test
	void whatHasSpentAnAttemptForItsProcessIsForgotten() {
		other(new OutboxInstance("here", SELF.pid(), true, Duration.ofSeconds(20))).note(List.of(3L));
		other(new OutboxInstance("here", SELF.pid(), true, Duration.ofSeconds(30))).note(List.of(3L, 5L));
		JdbcInstances self = other(SELF);
		assertThat(self.forget(3)).isTrue();
		assertThat(self.forget(3)).as("by the second who asks").isFalse();
		assertThat(self.left()).containsExactlyInAnyOrder(Set.of(), Set.of(3L, 5L));
	}

	// Its process is not seen from here, and proves nothing
	@Test
	void anInstanceOnAnotherHostOfTheSameNameIsThere() throws Exception {
		Process process = new ProcessBuilder("true").start();
		process.waitFor();
		OutboxInstance namesake = new OutboxInstance("here", process.pid(), false, Duration.ofSeconds(1));
		other(namesake).write();
		assertThat(other(SELF).running()).singleElement()
			.satisfies((running) -> assertThat(running.ordered()).isFalse());
	}

	@Test
	void whatCouldNotBeTakenOutOfTheNoteIsTakenOutByTheNextSignOfLife() {
		JdbcInstances ended = other(new OutboxInstance("here", SELF.pid(), true, Duration.ofSeconds(20)));
		ended.note(List.of(3L));
		this.jdbc.sql("ALTER TABLE outbox_instance RENAME COLUMN pid TO pids").update();
		ended.note(List.of());
		this.jdbc.sql("ALTER TABLE outbox_instance RENAME COLUMN pids TO pid").update();
		assertThat(other(SELF).left()).containsExactly(Set.of(3L));
		ended.write();
		assertThat(other(SELF).left()).containsExactly(Set.of());
	}

	private void assertEnded(OutboxInstance instance) {
		JdbcInstances ended = other(instance);
		ended.note(List.of(3L, 5L));
		JdbcInstances self = other(SELF);
		assertThat(self.left()).singleElement().satisfies((left) -> assertThat(left).containsExactly(3L, 5L));
		ended.note(List.of());
		assertThat(self.left()).singleElement().satisfies((left) -> assertThat(left).isEmpty());
	}

	private void assertRunning(OutboxInstance instance) {
		other(instance).note(List.of(3L));
		JdbcInstances self = other(SELF);
		assertThat(self.running()).singleElement()
			.satisfies((running) -> assertThat(running.host()).isEqualTo(instance.host()));
		assertThat(self.left()).isEmpty();
		self.remove();
	}

	private JdbcInstances other(OutboxInstance instance) {
		return new JdbcInstances(this.outbox, () -> instance, SILENCE);
	}

	private void awaitInstances(int count) {
		Awaitility.await()
			.until(() -> this.jdbc.sql("SELECT COUNT(*) FROM outbox_instance").query(Integer.class).single() == count);
	}

	private OutboxApplication.Builder application() {
		return OutboxApplication.on(this.database);
	}

}
