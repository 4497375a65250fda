/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Tag("unit")
class ServerChoiceTests {

	private static final String ADDRESS = "OUTBOX_MYSQL_URL";

	@Test
	void embeddedWhenThereIsNothingElse() {
		assertThat(choose(Map.of(), false)).isEqualTo(ServerKind.EMBEDDED);
	}

	@Test
	void dockerWhenAnEngineAnswers() {
		assertThat(choose(Map.of(), true)).isEqualTo(ServerKind.DOCKER);
	}

	@Test
	void anAddressWinsOverDocker() {
		assertThat(choose(Map.of(ADDRESS, "jdbc:mysql://db/outbox"), true)).isEqualTo(ServerKind.ENVIRONMENT);
	}

	@Test
	void anEmptyAddressIsNoAddress() {
		assertThat(choose(Map.of(ADDRESS, " "), false)).isEqualTo(ServerKind.EMBEDDED);
	}

	@Test
	void dockerIsNotAskedWhenThereIsAnAddress() {
		ServerChoice choice = new ServerChoice(Map.of(ADDRESS, "jdbc:mysql://db/outbox"), () -> {
			throw new AssertionError("asked");
		});
		assertThat(choice.choose(ADDRESS)).isEqualTo(ServerKind.ENVIRONMENT);
	}

	@Test
	void embeddedCanBeForced() {
		assertThat(choose(Map.of(ADDRESS, "jdbc:mysql://db/outbox", ServerChoice.FORCED, "embedded"), true))
			.isEqualTo(ServerKind.EMBEDDED);
	}

	@Test
	void dockerCanBeForced() {
		assertThat(choose(Map.of(ADDRESS, "jdbc:mysql://db/outbox", ServerChoice.FORCED, "Docker"), true))
			.isEqualTo(ServerKind.DOCKER);
	}

	@Test
	void anEmptyForceForcesNothing() {
		assertThat(choose(Map.of(ServerChoice.FORCED, ""), false)).isEqualTo(ServerKind.EMBEDDED);
	}

	@Test
	void forcedEnvironmentWithoutAnAddressFails() {
		assertThatIllegalStateException().isThrownBy(() -> choose(Map.of(ServerChoice.FORCED, "environment"), true))
			.withMessageContaining(ADDRESS)
			.withMessageContaining("scripts/services env");
	}

	@Test
	void forcedDockerWithoutAnEngineFails() {
		assertThatIllegalStateException().isThrownBy(() -> choose(Map.of(ServerChoice.FORCED, "docker"), false))
			.withMessageContaining("Docker engine");
	}

	@Test
	void anUnknownForceFails() {
		assertThatIllegalStateException().isThrownBy(() -> choose(Map.of(ServerChoice.FORCED, "podman"), false))
			.withMessageContaining("podman")
			.withMessageContaining("environment, docker or embedded");
	}

	private static ServerKind choose(Map<String, String> environment, boolean docker) {
		return new ServerChoice(environment, () -> docker).choose(ADDRESS);
	}

}
