/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.order;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Orders and their lines in the database.
 */
@Repository
class OrderRepository {

	private static final String SELECT = """
			SELECT id, number, customer, status, total, version, placed_at
			FROM orders
			""";

	private final JdbcClient jdbc;

	OrderRepository(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	void insert(UUID id, String customer, BigDecimal total) {
		this.jdbc.sql("""
				INSERT INTO orders (id, customer, status, total, version, placed_at)
				VALUES (:id, :customer, :status, :total, 1, UTC_TIMESTAMP(6))
				""")
			.param("id", id.toString())
			.param("customer", customer)
			.param("status", OrderStatus.OPEN.name())
			.param("total", total)
			.update();
	}

	void insertLine(UUID orderId, long version, OrderLine line) {
		this.jdbc.sql("""
				INSERT INTO order_line (order_id, added_in_version, product, quantity, unit_price)
				VALUES (:orderId, :version, :product, :quantity, :unitPrice)
				""")
			.param("orderId", orderId.toString())
			.param("version", version)
			.param("product", line.product())
			.param("quantity", line.quantity())
			.param("unitPrice", line.unitPrice())
			.update();
	}

	void update(UUID id, OrderStatus status, BigDecimal total, long version) {
		this.jdbc.sql("UPDATE orders SET status = :status, total = :total, version = :version WHERE id = :id")
			.param("status", status.name())
			.param("total", total)
			.param("version", version)
			.param("id", id.toString())
			.update();
	}

	// Whoever changes an order holds its row until the commit: versions are given in
	// commit order
	Optional<Order> findAndLock(UUID id) {
		return this.jdbc.sql(SELECT + "WHERE id = :id FOR UPDATE")
			.param("id", id.toString())
			.query(OrderRepository::toOrder)
			.optional();
	}

	Optional<Order> find(UUID id) {
		return this.jdbc.sql(SELECT + "WHERE id = :id")
			.param("id", id.toString())
			.query(OrderRepository::toOrder)
			.optional();
	}

	List<Order> findNewest(int limit) {
		return this.jdbc.sql(SELECT + "ORDER BY number DESC LIMIT :limit")
			.param("limit", limit)
			.query(OrderRepository::toOrder)
			.list();
	}

	List<OrderLine> findLines(UUID orderId) {
		return this.jdbc.sql("SELECT product, quantity, unit_price FROM order_line WHERE order_id = :id ORDER BY id")
			.param("id", orderId.toString())
			.query((row, number) -> new OrderLine(row.getString("product"), row.getInt("quantity"),
					row.getBigDecimal("unit_price")))
			.list();
	}

	private static Order toOrder(ResultSet row, int number) throws SQLException {
		return new Order(UUID.fromString(row.getString("id")), row.getLong("number"), row.getString("customer"),
				OrderStatus.valueOf(row.getString("status")), row.getBigDecimal("total"), row.getLong("version"),
				row.getObject("placed_at", LocalDateTime.class).toInstant(ZoneOffset.UTC));
	}

}
