/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

import io.orderedoutbox.payload.AesGcmTransformer;
import io.orderedoutbox.payload.ClaimCheckTransformer;
import io.orderedoutbox.payload.DirectoryStorage;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformer;
import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import io.orderedoutbox.payload.PayloadUnavailableException;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Listeners get what was published, whatever was done to it on the way.
 */
class DecodedListenerTests extends AbstractListenerTests {

	private static final String SCANNED = "outbox.inbox.type-packages=" + OrderPlaced.class.getPackageName();

	private static final String[] COMPRESSED = { SCANNED, "outbox.payload.compression.enabled=true",
			"outbox.payload.compression.min-size=0B" };

	private static final String LONG = "a".repeat(200);

	@Test
	void aTypedListenerGetsWhatWasCompressedAndEncrypted() {
		this.application = application(Typed.class, COMPRESSED).with(Encrypting.class).start();
		this.application.publish(new OrderPlaced(LONG, 1), new OrderPlaced(LONG, 2));
		awaitPayloads(new OrderPlaced(LONG, 1), new OrderPlaced(LONG, 2));
	}

	@Test
	void aConsumerThatCompressesNothingDecompressesAllTheSame() {
		this.application = application(Typed.class, SCANNED).start();
		deliver(gzip("{\"orderId\":\"a\",\"version\":1}"));
		awaitPayloads(new OrderPlaced("a", 1));
	}

	@ParameterizedTest
	@ValueSource(classes = { Text.class, Bytes.class })
	void aListenerThatTakesTheBodyGetsItAsItWasPublished(Class<?> listener) {
		this.application = application(listener, COMPRESSED).start();
		this.application.publish(new OrderPlaced(LONG, 1));
		awaitPayloads("{\"orderId\":\"%s\",\"version\":1}".formatted(LONG));
	}

	@Test
	void aListenerThatTakesTheMessageGetsItAsItWasSent() {
		this.application = application(Raw.class, COMPRESSED).start();
		this.application.publish(new OrderPlaced(LONG, 1));
		awaitPayloads("gzip");
	}

	@Test
	void aCharacterSetInTheSamePropertyIsNoTransformer() {
		this.application = application(Typed.class, SCANNED).start();
		deliver(MessageBuilder.withBody(JSON.getBytes(StandardCharsets.UTF_8))
			.setContentType("application/json")
			.setContentEncoding("UTF-8")
			.setType("order.placed")
			.build());
		awaitPayloads(new OrderPlaced("a", 1));
	}

	@Test
	void anotherAttemptIsDecodedLikeTheFirst() {
		this.application = application(FailsOnce.class, COMPRESSED)
			.with("spring.rabbitmq.listener.simple.retry.enabled", true)
			.with("spring.rabbitmq.listener.simple.retry.initial-interval", "10ms")
			.start();
		this.application.publish(new OrderPlaced(LONG, 1));
		awaitPayloads(new OrderPlaced(LONG, 1), new OrderPlaced(LONG, 1));
	}

	@Test
	@RequiresRabbitMq
	void whatCannotBeDecodedGoesToTheDeadLettersAtOnce(CapturedOutput output) {
		this.application = application(Typed.class, SCANNED).start();
		deliver(MessageBuilder.withBody(JSON.getBytes(StandardCharsets.UTF_8))
			.setContentEncoding("gzip")
			.setType("order.placed")
			.build());
		awaitDeadLetter(output, "has a body that cannot be decoded ('gzip' cannot be undone");
	}

	@Test
	@RequiresRabbitMq
	void whatNothingHereCanDecodeGoesThereWithTheNameOfWhatWasDone(CapturedOutput output) {
		this.application = application(Typed.class, SCANNED).start();
		deliver(MessageBuilder.withBody(new byte[] { 4, 0, 1 })
			.setContentEncoding("aes-gcm")
			.setType("order.placed")
			.build());
		awaitDeadLetter(output, "its content_encoding is 'aes-gcm', which no PayloadTransformer here undoes");
	}

	@Test
	void whatCannotBeDecodedForNowIsDeliveredAgain() {
		this.application = application(Typed.class, SCANNED).with(AwayOnce.class).start();
		this.application.publish(new OrderPlaced("a", 1));
		awaitPayloads(new OrderPlaced("a", 1));
	}

	@Test
	void aTypedListenerGetsThePayloadThatAClaimCheckStandsFor(@TempDir Path directory) throws IOException {
		this.application = checking(WithEncoding.class, directory).start();
		this.application.publish(new OrderPlaced(LONG, 1));
		awaitPayloads(new OrderPlaced(LONG, 1), "claim-check");
		assertThat(Files.readString(onlyFile(directory))).contains(LONG);
		this.application.publish(new OrderPlaced("a", 2));
		awaitPayloads(new OrderPlaced(LONG, 1), "claim-check", new OrderPlaced("a", 2), "null");
		assertThat(onlyFile(directory)).exists();
	}

	@Test
	@RequiresRabbitMq
	void aClaimCheckWhosePayloadIsGoneGoesToTheDeadLettersAtOnce(@TempDir Path directory, CapturedOutput output)
			throws IOException {
		this.application = checking(Typed.class, directory).start();
		this.application.bean(OutboxRelay.class).stop();
		this.application.publish(new OrderPlaced(LONG, 1));
		Files.delete(onlyFile(directory));
		this.application.bean(OutboxRelay.class).start();
		awaitDeadLetter(output, "the storage has no payload '");
	}

	@Test
	void aClaimCheckWhoseStorageDoesNotAnswerIsDeliveredAgain(@TempDir Path directory, CapturedOutput output)
			throws IOException {
		this.application = checking(Typed.class, directory).start();
		this.application.bean(OutboxRelay.class).stop();
		this.application.publish(new OrderPlaced(LONG, 1));
		Path file = onlyFile(directory);
		byte[] payload = Files.readAllBytes(file);
		Files.delete(file);
		Files.createDirectory(file);
		this.application.bean(OutboxRelay.class).start();
		Awaitility.await().until(() -> output.getAll().contains("The directory cannot be read"));
		assertThat(got()).isEmpty();
		RabbitListenerEndpointRegistry listeners = this.application.bean(RabbitListenerEndpointRegistry.class);
		// It must not be looked for while it is exchanged
		listeners.stop();
		Files.delete(file);
		Files.write(file, payload);
		listeners.start();
		awaitPayloads(new OrderPlaced(LONG, 1));
	}

	private OutboxApplication.Builder checking(Class<?> listener, Path directory) {
		return application(listener, SCANNED).with(Checking.class).with("directory", directory);
	}

	private static Path onlyFile(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			List<Path> found = files.toList();
			assertThat(found).hasSize(1);
			return found.get(0);
		}
	}

	private static Message gzip(String json) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
			gzip.write(json.getBytes(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return MessageBuilder.withBody(bytes.toByteArray())
			.setContentEncoding("gzip")
			.setContentType("application/json")
			.setType("order.placed")
			.build();
	}

	static class Encrypting {

		@Bean
		PayloadTransformer encryption() {
			return new AesGcmTransformer(Map.of("1", new byte[32]), "1", UndoneBy.CONSUMER);
		}

	}

	static class Checking {

		@Bean
		PayloadTransformer claimCheck(@Value("${directory}") Path directory) {
			return new ClaimCheckTransformer(new DirectoryStorage(directory), DataSize.ofBytes(100), UndoneBy.CONSUMER);
		}

	}

	static class AwayOnce {

		@Bean
		PayloadTransformer away() {
			AtomicInteger attempts = new AtomicInteger();
			return new PayloadTransformer() {

				@Override
				public String encoding() {
					return "remote";
				}

				@Override
				public byte @Nullable [] encode(byte[] payload, PayloadContext context) {
					return payload.clone();
				}

				@Override
				public byte[] decode(byte[] payload, PayloadContext context) {
					if (attempts.getAndIncrement() == 0) {
						throw new PayloadUnavailableException("the storage is away", null);
					}
					return payload.clone();
				}

			};
		}

	}

	static class Typed extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(OrderPlaced event) {
			this.got.add(event);
		}

	}

	static class WithEncoding extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(OrderPlaced event, Message message) {
			this.got.add(event);
			this.got.add(String.valueOf(message.getMessageProperties().getContentEncoding()));
		}

	}

	static class FailsOnce extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(OrderPlaced event) {
			this.got.add(event);
			if (this.got.size() == 1) {
				throw new IllegalStateException("not now");
			}
		}

	}

	static class Text extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(String body) {
			this.got.add(body);
		}

	}

	static class Bytes extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(byte[] body) {
			this.got.add(new String(body, StandardCharsets.UTF_8));
		}

	}

	static class Raw extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(Message message) {
			this.got.add(message.getMessageProperties().getContentEncoding());
		}

	}

}
