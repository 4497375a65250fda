/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

import io.orderedoutbox.contract.PayloadTransformerContract;
import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.support.postprocessor.DelegatingDecompressingPostProcessor;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Compression keeps the contract, leaves alone what it is no use for, and does not become
 * a bomb.
 */
@Tag("unit")
class GzipTransformerTests extends PayloadTransformerContract {

	private static final PayloadContext MESSAGE = new PayloadContext("1", "order.placed");

	@Override
	protected PayloadTransformer transformer() {
		return new GzipTransformer(DataSize.ofBytes(0), DataSize.ofMegabytes(1), UndoneBy.CONSUMER);
	}

	@Test
	void aPayloadBelowTheSizeStaysAsItIs() {
		GzipTransformer transformer = new GzipTransformer(DataSize.ofBytes(1000), DataSize.ofMegabytes(1),
				UndoneBy.CONSUMER);
		assertThat(transformer.encode(new byte[999], MESSAGE)).isNull();
		assertThat(transformer.encode(new byte[1000], MESSAGE)).hasSizeLessThan(100);
	}

	@Test
	void aPayloadThatWouldNotBecomeSmallerStaysAsItIs() {
		byte[] random = new byte[4000];
		new Random(42).nextBytes(random);
		assertThat(transformer().encode(random, MESSAGE)).isNull();
		assertThat(transformer().encode(new byte[0], MESSAGE)).isNull();
	}

	@Test
	void aBombIsRefusedBeforeItIsLarge() throws IOException {
		byte[] bomb = compressed(200 << 20);
		assertThat(bomb).hasSizeLessThan(1 << 20);
		long before = allocated();
		assertThatIllegalArgumentException().isThrownBy(() -> transformer().decode(bomb, MESSAGE))
			.withMessageContaining("outbox.payload.compression.max-decompressed-size");
		assertThat(allocated() - before).isLessThan(16 << 20);
	}

	@Test
	void whatCouldNotBeDecompressedIsNotCompressed() {
		byte[] largest = new byte[1 << 20];
		byte[] compressed = transformer().encode(largest, MESSAGE);
		assertThat(compressed).isNotNull();
		assertThat(transformer().decode(compressed, MESSAGE)).isEqualTo(largest);
		assertThatIllegalArgumentException().isThrownBy(() -> transformer().encode(new byte[(1 << 20) + 1], MESSAGE))
			.withMessageContaining("outbox.payload.compression.max-decompressed-size");
	}

	@Test
	void springUnderstandsIt() {
		byte[] payload = "x".repeat(4000).getBytes(StandardCharsets.UTF_8);
		byte[] compressed = transformer().encode(payload, MESSAGE);
		assertThat(compressed).isNotNull();
		assertThat(new DelegatingDecompressingPostProcessor()
			.postProcessMessage(MessageBuilder.withBody(compressed).setContentEncoding("gzip").build())
			.getBody()).isEqualTo(payload);
	}

	private static byte[] compressed(int size) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
			byte[] zeros = new byte[1 << 20];
			for (int written = 0; written < size; written += zeros.length) {
				gzip.write(zeros);
			}
		}
		return bytes.toByteArray();
	}

	private static long allocated() {
		return ((com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean())
			.getThreadAllocatedBytes(Thread.currentThread().getId());
	}

}
