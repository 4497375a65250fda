/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventConditions;
import org.junit.platform.testkit.engine.TestExecutionResultConditions;

import org.springframework.test.context.ContextConfiguration;

/**
 * A test method that takes something else than what there is.
 */
@Tag("unit")
class WrongParameterTests {

	@Test
	void aParameterOfAnotherTypeIsNamed() {
		EngineTestKit.engine("junit-jupiter")
			.selectors(DiscoverySelectors.selectClass(TakesOneMessage.class))
			.execute()
			.testEvents()
			.failed()
			.assertEventsMatchExactly(EventConditions.finishedWithFailure(
					TestExecutionResultConditions.instanceOf(ParameterResolutionException.class),
					TestExecutionResultConditions.message((message) -> message.contains("No ParameterResolver")
							&& message.contains(PublishedMessage.class.getName()) && message.contains("takes"))));
	}

	@OutboxTest
	@ContextConfiguration(classes = ShopApplication.class)
	static class TakesOneMessage {

		@Test
		void takes(PublishedMessage message) {
		}

	}

}
