/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import org.springframework.data.repository.CrudRepository;

/**
 * A repository of Spring Data JDBC.
 */
interface JdbcOrders extends CrudRepository<JdbcOrder, String> {

}
