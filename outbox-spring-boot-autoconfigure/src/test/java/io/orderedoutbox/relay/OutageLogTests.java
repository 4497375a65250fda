package io.orderedoutbox.relay;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is said of an outage, and how often.
 */
@Tag("unit")
@ExtendWith(OutputCaptureExtension.class)
class OutageLogTests {

	private final OutageLog outages = new OutageLog();

	@Test
	void anOutageIsSaidOnceAndItsEndOnce(CapturedOutput output) {
		for (int worker = 1; worker <= 5; worker++) {
			this.outages.lost(new TransportException("away", null), System.nanoTime());
		}
		assertThat(this.outages.reason()).contains("away");
		for (int worker = 1; worker <= 5; worker++) {
			this.outages.works();
		}
		assertThat(this.outages.reason()).isNull();
		assertThat(StringUtils.countOccurrencesOf(output.getAll(), "The relay cannot work")).isOne();
		assertThat(StringUtils.countOccurrencesOf(output.getAll(), "The relay works again")).isOne();
	}

	@Test
	void whatAWorkerBeganBeforeTheEndIsNoNewOutage(CapturedOutput output) {
		long begun = System.nanoTime();
		this.outages.lost(new TransportException("away", null), begun);
		this.outages.works();
		this.outages.lost(new TransportException("away", null), begun);
		assertThat(this.outages.reason()).isNull();
		assertThat(StringUtils.countOccurrencesOf(output.getAll(), "The relay cannot work")).isOne();
		this.outages.lost(new TransportException("away again", null), System.nanoTime());
		assertThat(this.outages.reason()).contains("away again");
		assertThat(StringUtils.countOccurrencesOf(output.getAll(), "The relay cannot work")).isEqualTo(2);
	}

	@Test
	void anUnforeseenFailureIsSaidOnceWithWhereItHappened(CapturedOutput output) {
		this.outages.failed(new IllegalStateException("mishap"), System.nanoTime());
		this.outages.failed(new IllegalStateException("mishap"), System.nanoTime());
		assertThat(this.outages.reason()).isEqualTo("java.lang.IllegalStateException: mishap");
		assertThat(StringUtils.countOccurrencesOf(output.getAll(), "A relay worker failed")).isOne();
		assertThat(output).contains("at io.orderedoutbox.relay.OutageLogTests");
	}

}
