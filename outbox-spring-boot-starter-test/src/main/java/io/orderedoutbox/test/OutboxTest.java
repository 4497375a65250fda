/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.env.Environment;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of what an application publishes, without the rest of the application: the
 * outbox in memory, the {@code JsonMapper} of the application and transactions, and
 * neither a web server nor a database.
 * <p>
 * Of the components of the application, only those are there that decide how events
 * become messages, such as a {@code RoutingStrategy}, a {@code PayloadSerializer} or a
 * {@code JacksonComponent}. The test imports the classes that publish with
 * {@code @Import}, or takes them in with {@link #includeFilters()}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(OutboxTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(OutboxTypeExcludeFilter.class)
@AutoConfigureOutboxTest
@ImportAutoConfiguration
public @interface OutboxTest {

	/**
	 * Properties of the form {@code key=value} that are added to the {@link Environment}
	 * before the test runs.
	 * @return the properties
	 */
	String[] properties() default {};

	/**
	 * Whether the components are there that decide how events become messages. If not,
	 * only those are that {@link #includeFilters()} take in.
	 * @return whether they are
	 */
	boolean useDefaultFilters() default true;

	/**
	 * Filters that take components of the application in.
	 * @return the filters
	 */
	ComponentScan.Filter[] includeFilters() default {};

	/**
	 * Filters that leave components of the application out.
	 * @return the filters
	 */
	ComponentScan.Filter[] excludeFilters() default {};

	/**
	 * Auto-configuration that is left out of this test.
	 * @return the classes
	 */
	@AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
	Class<?>[] excludeAutoConfiguration() default {};

}
