/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.orderedoutbox.contract.PayloadTransformerContract;
import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * A claim check keeps the contract, and finds out what has become of its payload.
 */
@Tag("unit")
class ClaimCheckTransformerTests extends PayloadTransformerContract {

	private static final PayloadContext MESSAGE = new PayloadContext("1", "order.placed");

	@TempDir
	private Path directory;

	@Override
	protected PayloadTransformer transformer() {
		return over(0);
	}

	@Override
	protected PayloadTransformer withAnotherKey() {
		try {
			return new ClaimCheckTransformer(new DirectoryStorage(Files.createTempDirectory(this.directory, "other")),
					DataSize.ofBytes(0), UndoneBy.CONSUMER);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private PayloadTransformer over(long minSize) {
		return new ClaimCheckTransformer(new DirectoryStorage(this.directory), DataSize.ofBytes(minSize),
				UndoneBy.CONSUMER);
	}

	@Test
	void onlyALargePayloadIsStoredElsewhere() throws IOException {
		assertThat(over(1000).encode(new byte[999], MESSAGE)).isNull();
		assertThat(files()).isEmpty();
		byte[] check = over(1000).encode(new byte[1000], MESSAGE);
		assertThat(new String(check, StandardCharsets.UTF_8)).matches("[0-9a-f-]{36} 1000 [0-9a-f]{64}");
		assertThat(files()).hasSize(1);
	}

	@Test
	void loadingRemovesNothingBecauseAMessageCanBeDeliveredAgain() throws IOException {
		byte[] check = transformer().encode(payload(), MESSAGE);
		assertThat(check).isNotNull();
		transformer().decode(check, MESSAGE);
		assertThat(transformer().decode(check, MESSAGE)).isEqualTo(payload());
		assertThat(files()).hasSize(1);
	}

	@Test
	void theSameMessageIdHasAnotherKeyEachTime() throws IOException {
		transformer().encode(payload(), MESSAGE);
		transformer().encode(payload(), MESSAGE);
		assertThat(files()).hasSize(2);
	}

	@Test
	void whatIsNotWhatWasStoredIsRefused() throws IOException {
		byte[] check = transformer().encode(payload(), MESSAGE);
		assertThat(check).isNotNull();
		Files.writeString(files().get(0), "x".repeat(payload().length));
		assertThatIllegalArgumentException().isThrownBy(() -> transformer().decode(check, MESSAGE))
			.withMessageContaining("not what was stored");
		Files.delete(files().get(0));
		assertThatIllegalArgumentException().isThrownBy(() -> transformer().decode(check, MESSAGE))
			.withMessageContaining("has no payload");
	}

	@Test
	void aStorageThatDoesNotAnswerIsNoFaultOfTheMessage() throws IOException {
		byte[] check = transformer().encode(payload(), MESSAGE);
		assertThat(check).isNotNull();
		Path file = files().get(0);
		Files.delete(file);
		Files.createDirectory(file);
		assertThatExceptionOfType(PayloadUnavailableException.class)
			.isThrownBy(() -> transformer().decode(check, MESSAGE));
	}

	private List<Path> files() throws IOException {
		try (Stream<Path> files = Files.list(this.directory)) {
			return files.toList();
		}
	}

}
