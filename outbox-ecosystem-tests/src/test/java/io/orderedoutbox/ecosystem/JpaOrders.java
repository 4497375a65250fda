package io.orderedoutbox.ecosystem;

import org.springframework.data.jpa.repository.JpaRepository;

/**
 * A repository of Spring Data JPA.
 */
interface JpaOrders extends JpaRepository<JpaOrder, String> {

}
