/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import org.springframework.data.jpa.repository.JpaRepository;

/**
 * A repository of Spring Data JPA.
 */
interface JpaOrders extends JpaRepository<JpaOrder, String> {

}
