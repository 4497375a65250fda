/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.orderedoutbox.ecosystem.Arrivals.Arrival;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The restart of devtools, which loads the classes of the application anew and keeps
 * those of the libraries, in a process of its own.
 */
@Tag("slow")
@Tag("thorough")
class DevtoolsTests {

	@Test
	void eachRestartPublishesAndNothingIsLeftOfTheOneBefore(@TempDir Path directory) throws Exception {
		try (Arrivals arrivals = new Arrivals()) {
			Path output = directory.resolve("output");
			List<String> command = new ArrayList<>(
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
							"-XX:TieredStopAtLevel=1", "-XX:SoftRefLRUPolicyMSPerMB=0", "-cp",
							System.getProperty("java.class.path"), RestartedShop.class.getName()));
			command.addAll(Application.with()
				.sendingTo(arrivals)
				.with("spring.main.web-application-type", "none")
				.with("spring.devtools.livereload.enabled", "false")
				.arguments());
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.start();
			try {
				assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("ended").isTrue();
			}
			finally {
				process.destroyForcibly();
			}
			String said = Files.readString(output);
			List<String> starts = said.lines().filter((line) -> line.startsWith("start ")).toList();
			assertThat(starts).as(said)
				.hasSize(RestartedShop.STARTS)
				.allSatisfy((start) -> assertThat(start).contains("RestartClassLoader")
					.endsWith(starts.get(0).replaceFirst("^.*:", "")));
			assertThat(said).contains("nothing is left of the others");
			assertThat(arrivals.await(RestartedShop.STARTS)).extracting(Arrival::text)
				.containsExactlyElementsOf(IntStream.rangeClosed(1, RestartedShop.STARTS)
					.mapToObj((version) -> new OrderChanged("a", version).text())
					.toList());
		}
	}

}
