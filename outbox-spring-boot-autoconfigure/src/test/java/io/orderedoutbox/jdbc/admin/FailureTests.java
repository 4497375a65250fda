/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

/**
 * Errors that differ in ids and numbers only have one cause, and others have not.
 */
@Tag("unit")
class FailureTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "no answer within 5012 ms | no answer within 7 ms",
			"order 17 is locked | order 4711 is locked", "order-17 is locked | order-18 is locked",
			"message 019ab0a4-5c5e-7c8e-b8b5-0f6f6f7f3a11 is broken | message 019AB0A4-ffff-7abc-aaaa-abcdefabcdef is broken",
			"message abcdefab-abcd-abcd-abcd-abcdefabcdef is broken | message 019ab0a4-5c5e-7c8e-b8b5-0f6f6f7f3a11 is broken",
			"no value in Order@1f2e3d | no value in Order@deadbeef",
			"ULID 01ARZ3NDEKTSV4RRFFQ69G5FAV | ULID 01BX5ZZKBKACTAV9WEVGEMMVRZ",
			"lost 10.0.0.1:5672 | lost 192.168.17.4:49152",
			"since 2026-11-27T00:42:29.123Z | since 2026-11-28T10:00:00Z", "is 1.5, not 2 | is 10, not 2,000.75",
			"   no  answer | no answer",
			"not tried, because its destination is paused after: channel closed | channel closed",
			"too large: 131072 | too large: 131073", "hash 1a2b3c4d5e6f | hash ffeeddccbbaa00" })
	void idsAndNumbersSplitNoCause(String one, String other) {
		assertThat(cause(one)).isEqualTo(cause(other)).isNotBlank();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "no exchange 'shop' in vhost '/' | no exchange 'stock' in vhost '/'",
					"channel closed by the broker: 404 NOT_FOUND | channel closed by the broker: 403 ACCESS_REFUSED",
					"returned by the broker: 312 NO_ROUTE | nacked by the broker", "a | b" })
	void whatElseDiffersIsAnotherCause(String one, String other) {
		assertThat(cause(one)).isNotEqualTo(cause(other));
	}

	@Test
	void theReplyCodeOfTheBrokerStaysToBeRead() {
		assertThat(cause("channel closed by the broker: 404 NOT_FOUND - no exchange 'shop' in vhost '/'"))
			.isEqualTo("channel closed by the broker: 404 NOT_FOUND - no exchange 'shop' in vhost '/'");
		assertThat(cause("order 404 failed")).isEqualTo("order # failed");
	}

	@Test
	void whatTheErrorQuotesOfItsOwnMessageIsNoPartOfTheCause() {
		UUID id = UUID.randomUUID();
		assertThat(Failure.of(id.toString(), "anna", "shop", "order.anna",
				"returned by the broker: 312 NO_ROUTE (exchange 'shop', routing key 'order.anna'), key \"anna\""))
			.isEqualTo(Failure.of("custom-id", "bert", "shop", "order.bert",
					"returned by the broker: 312 NO_ROUTE (exchange 'shop', routing key 'order.bert'), key \"bert\""));
		assertThat(Failure.of("x", "shop", "shop", "shop", "no exchange 'shop'").group())
			.as("which names the destination")
			.isEqualTo("exchange 'shop': no exchange 'shop'");
	}

	@Test
	void theNameOfTheDestinationStaysAlsoIfThereAreDigitsInIt() {
		assertThat(Failure.of("x", "a", "shop-v2", "key", "404 NOT_FOUND - no exchange 'shop-v2', try 3").cause())
			.isEqualTo("404 NOT_FOUND - no exchange 'shop-v2', try #");
		assertThat(Failure.of("x", "a", "", "mail-7", "no queue 'mail-7'").cause()).isEqualTo("no queue 'mail-7'");
	}

	@Test
	void behindTheDefaultExchangeEachQueueIsADestination() {
		Failure one = Failure.of("x", "a", "", "mail", "no route");
		assertThat(one.group()).isEqualTo("queue 'mail': no route");
		assertThat(one).isNotEqualTo(Failure.of("x", "a", "", "stock", "no route"));
		assertThat(Failure.of("x", "a", "shop", "mail", "no route"))
			.isEqualTo(Failure.of("x", "a", "shop", "stock", "no route"));
	}

	@Test
	void withoutAnErrorThereIsACauseAllTheSame() {
		assertThat(cause(null)).isEqualTo(cause("  ")).isEqualTo("no reason was given");
	}

	@Test
	void aLongErrorIsCutWhereIdsOfDifferentLengthDoNotMatter() {
		assertThat(cause("order 1 " + "x ".repeat(400))).isEqualTo(cause("order 1234567 " + "x ".repeat(390)))
			.hasSizeLessThanOrEqualTo(200);
		assertThat(cause("\uD83D\uDE00".repeat(300)).codePointCount(0, 400)).isEqualTo(200);
	}

	@Test
	void aLongErrorTakesNoLongerForItsLength() {
		assertTimeout(Duration.ofSeconds(2), () -> {
			for (int times = 0; times < 100; times++) {
				cause("x".repeat(1000));
				cause("abcdefab-".repeat(111));
				cause("_@#".repeat(333));
			}
		});
	}

	private static String cause(String error) {
		return Failure.of("019ab0a4-0000-7000-8000-000000000000", "some key", "events", "some.key", error).cause();
	}

}
