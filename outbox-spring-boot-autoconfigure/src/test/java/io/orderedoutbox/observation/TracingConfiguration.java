/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import java.util.List;

import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;

import org.springframework.boot.micrometer.observation.autoconfigure.ObservationRegistryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * OpenTelemetry behind Micrometer, with W3C's header and an exporter that remembers.
 */
@Configuration(proxyBeanMethods = false)
class TracingConfiguration {

	@Bean
	InMemorySpanExporter exporter() {
		return InMemorySpanExporter.create();
	}

	@Bean
	SdkTracerProvider tracerProvider(InMemorySpanExporter exporter) {
		return SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build();
	}

	@Bean
	Tracer tracer(SdkTracerProvider provider) {
		return new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), (event) -> {
		});
	}

	@Bean
	ObservationRegistryCustomizer<ObservationRegistry> tracing(Tracer tracer, SdkTracerProvider provider) {
		OtelPropagator propagator = new OtelPropagator(
				ContextPropagators.create(W3CTraceContextPropagator.getInstance()), provider.get("test"));
		return (registry) -> registry.observationConfig()
			.observationHandler(new FirstMatchingCompositeObservationHandler(
					List.of(new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
							new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
							new DefaultTracingObservationHandler(tracer))));
	}

}
