package io.orderedoutbox.autoconfigure;

import java.util.Map;

import io.orderedoutbox.OutboxConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Properties that nothing reads.
 */
@Tag("unit")
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertyTests {

	private static final KnownProperties KNOWN = KnownProperties.read("outbox",
			UnknownPropertyTests.class.getClassLoader());

	private final StandardEnvironment environment = new StandardEnvironment();

	@ParameterizedTest
	@CsvSource({ "outbox.orderd, outbox.ordered", "outbox.rely.workers, outbox.relay.workers",
			"outbox.relay.batchsize2, outbox.relay.batch-size", "outbox.relay.pool-sise, outbox.relay.pool-size",
			"outbox.retry.max-atempts, outbox.retry.max-attempts", "outbox.rabbit.exchnge, outbox.rabbit.exchange",
			"outbox.routes[a].exchange, outbox.rabbit.exchange",
			"outbox.monitor.alowed-hosts[0], outbox.monitor.allowed-hosts" })
	void aMisspeltOneIsNamedWithTheNearest(String name, String nearest, CapturedOutput output) {
		check(name);
		assertThat(output).contains("WARN", "Nothing reads the property '" + name + "' (",
				"Was '" + nearest + "' meant?");
	}

	@Test
	void oneThatIsLikeNoneIsNamed(CapturedOutput output) {
		check("outbox.colour-of-the-page-in-the-evening");
		assertThat(output).contains("Nothing reads the property 'outbox.colour-of-the-page-in-the-evening'")
			.contains("docs/properties.md")
			.doesNotContain("meant?");
	}

	@ParameterizedTest
	@ValueSource(strings = { "outbox.ordered", "outbox.relay.workers", "outbox.relay.batchSize",
			"outbox.RELAY.batch_size", "outbox.rabbit.routes[order.placed].exchange",
			"outbox.rabbit.routes.order.routing-key", "outbox.monitor.allowed-hosts[0]", "outbox.monitor.allowed-hosts",
			"outbox.jdbc.initialize-schema", "outboxes.a", "other.outbox" })
	void othersAreNot(String name, CapturedOutput output) {
		check(name);
		assertThat(output).doesNotContain("Nothing reads");
	}

	@Test
	void variablesOfTheEnvironmentAreNotLookedAt(CapturedOutput output) {
		this.environment.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("variables", Map.of("OUTBOX_MYSQL_URL", "x")));
		new UnknownPropertyCheck(this.environment, KNOWN).afterSingletonsInstantiated();
		assertThat(output).doesNotContain("Nothing reads");
	}

	@ParameterizedTest
	@ValueSource(strings = { "order.placed", "shop.order.placed" })
	void aRouteWithoutBracketsIsRefused(String message) {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> check("outbox.rabbit.routes." + message + ".routing-key"))
			.withMessageContaining("outbox.rabbit.routes." + message + ".routing-key")
			.satisfies((refusal) -> assertThat(refusal.getRemedy())
				.contains("outbox.rabbit.routes[" + message + "].routing-key"));
	}

	private void check(String name) {
		this.environment.getPropertySources().addFirst(new MapPropertySource("file", Map.of(name, "1")));
		new UnknownPropertyCheck(this.environment, KNOWN).afterSingletonsInstantiated();
	}

}
