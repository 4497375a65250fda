/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.OutboxPayloadProperties.Compression;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.payload.GzipTransformer;
import io.orderedoutbox.payload.PayloadSource;
import io.orderedoutbox.payload.PayloadTransformer;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.relay.payload.DecodingMessageSender;
import io.orderedoutbox.relay.payload.ReferredPayloads;
import io.orderedoutbox.send.MessageSenderDecorator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for what is done to payloads between
 * their serializer and their consumer, with and without an outbox.
 */
@EachOutbox
@AutoConfiguration(before = OutboxAutoConfiguration.class)
@EnableConfigurationProperties(OutboxPayloadProperties.class)
public final class OutboxPayloadAutoConfiguration {

	// Of the time for which the database keeps a claim: one call more may take much
	// longer
	private static final int LOADING_SHARE = 10;

	// Encryption comes after compression, as what is encrypted cannot be compressed
	@Bean
	PayloadTransformers orderedOutboxPayloadTransformers(ObjectProvider<PayloadTransformer> transformers,
			OutboxPayloadProperties properties) {
		Compression compression = properties.compression();
		GzipTransformer gzip = new GzipTransformer(compression.minSize(), compression.maxDecompressedSize(),
				compression.undoneBy());
		List<PayloadTransformer> writing = new ArrayList<>(transformers.orderedStream().toList());
		if (compression.enabled()) {
			writing.add(0, gzip);
		}
		try {
			return new PayloadTransformers(writing, compression.enabled() ? List.of() : List.of(gzip));
		}
		catch (IllegalArgumentException ex) {
			throw new OutboxConfigurationException(ex.getMessage() + ".",
					"Correct encoding() of the PayloadTransformer beans. 'gzip' is the name of outbox.payload.compression.",
					ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSwitch(Switch.RELAY)
	static class RelayConfiguration {

		// Next to the sender: what observes it sees what goes wrong here
		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		MessageSenderDecorator orderedOutboxDecodingMessageSender(PayloadTransformers transformers) {
			return (sender) -> new DecodingMessageSender(sender, transformers);
		}

		@Bean
		ReferredPayloads orderedOutboxReferredPayloads(ObjectProvider<PayloadSource> source,
				PayloadTransformers transformers, OutboxProperties properties) {
			return new ReferredPayloads(source.getIfAvailable(), transformers,
					properties.relay().lockTimeout().dividedBy(LOADING_SHARE));
		}

	}

}
