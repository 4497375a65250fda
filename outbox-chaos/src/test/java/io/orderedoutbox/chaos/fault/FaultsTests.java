/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("unit")
class FaultsTests {

	@TempDir
	Path directory;

	private List<Fault> faults;

	// A library that is there already is not fetched
	@BeforeEach
	void makeFaults() throws Exception {
		Files.createFile(this.directory.resolve("libfaketimeMT.so.1"));
		this.faults = Faults.all(this.directory);
	}

	@Test
	void noTwoFaultsAreOfTheSameKind() {
		assertThat(this.faults).extracting(Fault::kind).doesNotHaveDuplicates();
	}

	@Test
	void everyPartOfTheWorldCanBeBrokenWithoutTheOthers() {
		for (Part part : Part.values()) {
			assertThat(this.faults).as(part.name()).anyMatch((fault) -> fault.breaks().equals(EnumSet.of(part)));
		}
	}

	@Test
	void kindsCanBeChosenByName() {
		assertThat(this.faults).extracting(Fault::kind).noneMatch((kind) -> kind.contains(","));
	}

	@Test
	void relaysThatCannotNoticeTheEndOfTheirClaimsAreCounted() {
		assertThat(this.faults).filteredOn((fault) -> fault.kind().startsWith("network cut to"))
			.isNotEmpty()
			.allMatch((fault) -> fault.frozenRelays() == 1);
		assertThat(this.faults).filteredOn((fault) -> fault.kind().equals("relay killed"))
			.isNotEmpty()
			.allMatch((fault) -> fault.frozenRelays() == 0);
	}

	@Test
	void consumersMeetWhatHappensToThemAndToWhatTheyUse() {
		assertThat(this.faults).filteredOn(Faults::concernsConsumers)
			.extracting(Fault::kind)
			.contains("consumer killed", "consumer frozen until the broker gives it up",
					"consumer leaves and another joins", "consumer joins and leaves", "handlers of some keys fail",
					"database killed", "broker killed", "a second queue rejects what the first takes")
			.doesNotContain("eight instances start on an empty database");
		assertThat(this.faults).filteredOn(Faults::concernsConsumers).hasSize(20);
	}

}
