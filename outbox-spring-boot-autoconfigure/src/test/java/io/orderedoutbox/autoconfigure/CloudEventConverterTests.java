/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.cloudevents.core.message.MessageReader;
import io.orderedoutbox.autoconfigure.inbox.OutboxCloudEventsAutoConfiguration;
import io.orderedoutbox.autoconfigure.inbox.OutboxTypesAutoConfiguration;
import io.orderedoutbox.inbox.message.CloudEventMessageConverter;
import io.orderedoutbox.inbox.message.DecodingMessageConverter;
import io.orderedoutbox.inbox.message.TypedMessageConverter;
import io.orderedoutbox.testing.OrderPlaced;
import org.assertj.core.util.introspection.PropertyOrFieldSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which listeners may take CloudEvents, with and without their library.
 */
@Tag("unit")
class CloudEventConverterTests {

	private static final String TYPES = "outbox.inbox.types[order.placed]=" + OrderPlaced.class.getName();

	private final ApplicationContextRunner application = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(OutboxTypesAutoConfiguration.class, OutboxCloudEventsAutoConfiguration.class));

	private final ApplicationContextRunner withoutLibrary = this.application
		.withClassLoader(new FilteredClassLoader(MessageReader.class));

	@Test
	void oneConverterMakesEventsWithTheirLibrary() {
		this.application
			.run((context) -> assertThat(behindDecoding(context)).isInstanceOf(CloudEventMessageConverter.class));
		this.application.withPropertyValues(TYPES)
			.run((context) -> assertThat(behindDecoding(context)).isInstanceOf(CloudEventMessageConverter.class));
	}

	@Test
	void noneDoesWithoutTheirLibrary() {
		this.withoutLibrary.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(MessageConverter.class)
			.doesNotHaveBean("orderedInboxCloudEventsPostProcessor"));
		this.withoutLibrary.withPropertyValues(TYPES)
			.run((context) -> assertThat(behindDecoding(context)).isInstanceOf(TypedMessageConverter.class));
	}

	private static Object behindDecoding(AssertableApplicationContext context) {
		assertThat(context).hasSingleBean(MessageConverter.class);
		MessageConverter converter = context.getBean(MessageConverter.class);
		assertThat(converter).isInstanceOf(DecodingMessageConverter.class);
		return PropertyOrFieldSupport.EXTRACTION.getValueOf("others", converter);
	}

}
