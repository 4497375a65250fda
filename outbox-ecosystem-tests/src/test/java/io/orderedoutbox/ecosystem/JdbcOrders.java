package io.orderedoutbox.ecosystem;

import org.springframework.data.repository.CrudRepository;

/**
 * A repository of Spring Data JDBC.
 */
interface JdbcOrders extends CrudRepository<JdbcOrder, String> {

}
