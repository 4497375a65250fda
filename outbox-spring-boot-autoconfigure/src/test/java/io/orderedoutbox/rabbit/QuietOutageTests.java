/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.SenderTampering;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What an outage of the broker writes to the log at the ordinary levels, however often
 * the relay tries: the line that it began, and the line that it is over.
 */
@Timeout(120)
@Tag("slow")
class QuietOutageTests {

	private static final List<String> NOISY = List.of("org.springframework.amqp", "com.rabbitmq");

	private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent line) {
			// An embedded broker speaks for itself
			if (!line.getLoggerName().startsWith("org.apache.qpid")) {
				QuietOutageTests.this.lines.add(line);
			}
		}

	};

	// After the start of the application, which sets the levels of the tests
	private void listen() {
		NOISY.forEach((name) -> logger(name).setLevel(Level.INFO));
		logger("com.rabbitmq.client.impl.ForgivingExceptionHandler").setLevel(Level.INFO);
		this.appender.start();
		logger(Logger.ROOT_LOGGER_NAME).addAppender(this.appender);
	}

	@AfterEach
	void leave() {
		logger(Logger.ROOT_LOGGER_NAME).detachAppender(this.appender);
		NOISY.forEach((name) -> logger(name).setLevel(null));
		logger("com.rabbitmq.client.impl.ForgivingExceptionHandler").setLevel(Level.OFF);
	}

	private static Logger logger(String name) {
		return (Logger) LoggerFactory.getLogger(name);
	}

	@ParameterizedTest
	@EnumSource
	void anOutageIsALineWhenItBeginsAndALineWhenItEnds(Outage outage) {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.brokerThrough(proxy)
					.with("outbox.relay.poll-interval", "50ms")
					.with("outbox.relay.confirm-timeout", "500ms")
					.with(Rounds.class)
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			application.awaitEmpty();
			listen();
			outage.begin(proxy);
			application.publish(new OrderPlaced("a", 2));
			AtomicInteger failed = application.bean(Rounds.class).failed;
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> failed.get() >= 10);
			outage.end(proxy);
			queue.await(2);
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> application.bean(OutboxRelay.class).outage() == null);
			assertThat(this.lines).extracting(ILoggingEvent::getFormattedMessage)
				.as("after %d attempts", failed.get())
				.satisfiesExactly((began) -> assertThat(began).startsWith("The relay cannot work: "),
						(ended) -> assertThat(ended).isEqualTo("The relay works again"));
		}
	}

	@Test
	void theApplicationsOwnConnectionSaysWhatItAlwaysSays() {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.brokerThrough(proxy)
					.start()) {
			proxy.stop();
			listen();
			CachingConnectionFactory own = application.bean(CachingConnectionFactory.class);
			assertThatThrownBy(own::createConnection).isInstanceOf(AmqpException.class);
			assertThat(this.lines).extracting(ILoggingEvent::getLoggerName)
				.contains(CachingConnectionFactory.class.getName());
		}
	}

	@Test
	void whoWantsToSeeEachAttemptOfTheRelayCan() {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.brokerThrough(proxy)
					.with("logging.level.io.orderedoutbox.rabbit.RelayConnectionFactory", "info")
					.start()) {
			proxy.stop();
			listen();
			application.publish(new OrderPlaced("a", 1));
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> this.lines.stream()
					.anyMatch((line) -> line.getFormattedMessage().startsWith("Attempting to connect")));
		}
	}

	enum Outage {

		REFUSED {

			@Override
			void begin(TcpProxy proxy) {
				proxy.stop();
			}

			@Override
			void end(TcpProxy proxy) {
				proxy.start();
			}

		},

		SILENT {

			@Override
			void begin(TcpProxy proxy) {
				proxy.freeze();
			}

			@Override
			void end(TcpProxy proxy) {
				proxy.thaw();
			}

		};

		abstract void begin(TcpProxy proxy);

		abstract void end(TcpProxy proxy);

	}

	/**
	 * Counts how often the relay turned to its broker in vain.
	 */
	static class Rounds extends SenderTampering {

		private final AtomicInteger failed = new AtomicInteger();

		@Override
		protected void tampered(MessageSender sender, Consumer<SendingChannel> work) {
			try {
				sender.withChannel(work);
			}
			catch (RuntimeException ex) {
				this.failed.incrementAndGet();
				throw ex;
			}
		}

	}

}
