/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Qualifies a {@link javax.sql.DataSource} of the relay's own. The relay and the tasks
 * that run in the background take their connections from it, so that business
 * transactions never wait for one that the relay holds. It must lead to the same schema
 * as the DataSource of the business transactions. Declare it with
 * {@code @Bean(defaultCandidate = false)}, so that nothing else gets it by its type.
 * <p>
 * The property {@code outbox.relay.pool-size} declares such a bean, as a copy of the
 * application's HikariCP pool.
 */
@Documented
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
public @interface OutboxRelayDataSource {

}
