/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.orderedoutbox.payload.PayloadStorage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a {@link PayloadStorage} has to keep.
 * <p>
 * A key is used for one payload only, so nothing is asked about a second payload under
 * the same key.
 */
public abstract class PayloadStorageContract {

	private static final int LARGE = 5_000_000;

	private static final int THREADS = 8;

	/**
	 * Return the storage.
	 * @return the storage, on the same payloads for each call
	 */
	protected abstract PayloadStorage storage();

	private static String newKey() {
		return UUID.randomUUID().toString();
	}

	private static byte[] payload(String text) {
		return "{\"text\":\"%s\"}".formatted(text).getBytes(StandardCharsets.UTF_8);
	}

	private String put(byte[] payload) {
		String key = newKey();
		storage().put(key, payload);
		return key;
	}

	@Test
	void whatWasPutCanBeReadAgainAndAgain() {
		String first = put(payload("first"));
		String second = put(payload("second"));
		for (int i = 0; i < 3; i++) {
			assertThat(storage().get(first)).isEqualTo(payload("first"));
			assertThat(storage().get(second)).isEqualTo(payload("second"));
		}
	}

	// An exception would say that the storage does not answer, and the message would wait
	@Test
	void whatWasNeverPutIsNullAndNoException() {
		put(payload("another"));
		assertThat(storage().get(newKey())).isNull();
	}

	@Test
	void whatWasRemovedIsNullAndNoException() {
		String removed = put(payload("removed"));
		String kept = put(payload("kept"));
		storage().delete(removed);
		assertThat(storage().get(removed)).isNull();
		assertThat(storage().get(kept)).isEqualTo(payload("kept"));
	}

	@Test
	void whatIsNotThereCanBeRemoved() {
		storage().delete(newKey());
		String key = put(payload("removed"));
		storage().delete(key);
		storage().delete(key);
		assertThat(storage().get(key)).isNull();
	}

	@Test
	void equalPayloadsAreRemovedOneByOne() {
		String removed = put(payload("equal"));
		String kept = put(payload("equal"));
		storage().delete(removed);
		assertThat(storage().get(removed)).isNull();
		assertThat(storage().get(kept)).isEqualTo(payload("equal"));
	}

	@Test
	void theBeginningOfAKeyIsAnotherKey() {
		String key = put(payload("kept"));
		for (String other : List.of(key.substring(0, key.indexOf('-')), key + "-1")) {
			assertThat(storage().get(other)).isNull();
			storage().delete(other);
		}
		assertThat(storage().get(key)).isEqualTo(payload("kept"));
	}

	@Test
	void aPayloadMayBeEmptyAndOfAnyBytes() {
		byte[] bytes = new byte[256];
		IntStream.range(0, bytes.length).forEach((i) -> bytes[i] = (byte) i);
		for (byte[] payload : List.of(new byte[0], new byte[] { 0 }, bytes)) {
			assertThat(storage().get(put(payload.clone()))).isEqualTo(payload);
		}
	}

	@Test
	void aPayloadMayBeLarge() {
		byte[] large = new byte[LARGE];
		new Random(42).nextBytes(large);
		assertThat(storage().get(put(large.clone()))).isEqualTo(large);
	}

	@Test
	void itDoesNotTouchThePayloadThatItIsGiven() {
		byte[] payload = payload("untouched");
		String key = put(payload);
		storage().get(key);
		storage().delete(key);
		assertThat(payload).isEqualTo(payload("untouched"));
	}

	@Test
	void severalThreadsUseItAtTheSameTime() throws Exception {
		PayloadStorage storage = storage();
		List<Callable<Map<String, byte[]>>> work = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			String thread = "thread " + i;
			work.add(() -> used(storage, thread));
		}
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			// What one thread has put, another one reads
			for (Future<Map<String, byte[]>> kept : threads.invokeAll(work)) {
				kept.get().forEach((key, payload) -> assertThat(storage.get(key)).isEqualTo(payload));
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static Map<String, byte[]> used(PayloadStorage storage, String thread) {
		Map<String, byte[]> kept = new HashMap<>();
		for (int i = 0; i < 16; i++) {
			String removed = newKey();
			storage.put(removed, payload("removed"));
			byte[] payload = payload(thread + ", " + i);
			String key = newKey();
			storage.put(key, payload);
			storage.delete(removed);
			assertThat(storage.get(key)).isEqualTo(payload);
			assertThat(storage.get(removed)).isNull();
			kept.put(key, payload);
		}
		return kept;
	}

}
