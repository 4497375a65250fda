/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.billing;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Invoices in the database. Nothing but the inbox keeps a line from being there twice: no
 * key of the table does.
 */
@Repository
class Invoices {

	private static final int LOOKED_AT = 50;

	private final JdbcClient jdbc;

	Invoices(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	void add(UUID orderId, long version, BigDecimal amount) {
		this.jdbc.sql("""
				INSERT INTO invoice_line (order_id, version, amount, billed_at)
				VALUES (:orderId, :version, :amount, UTC_TIMESTAMP(6))
				""").param("orderId", orderId.toString()).param("version", version).param("amount", amount).update();
	}

	BigDecimal sumOf(UUID orderId) {
		return this.jdbc.sql("SELECT COALESCE(SUM(amount), 0) FROM invoice_line WHERE order_id = :orderId")
			.param("orderId", orderId.toString())
			.query(BigDecimal.class)
			.single();
	}

	long countLines() {
		return this.jdbc.sql("SELECT COUNT(*) FROM invoice_line").query(Long.class).single();
	}

	/**
	 * Return some invoices of the newest orders, the newest first. If lines are missing
	 * from any, up to half of them are such.
	 * @param limit how many at most
	 */
	List<Invoice> findNewest(int limit) {
		Map<UUID, Invoice> invoices = new LinkedHashMap<>();
		this.jdbc.sql("""
				SELECT newest.id, newest.number, newest.customer, newest.events, newest.total, line.version, line.amount
				FROM (
				  SELECT id, number, customer, version AS events, IF(status = 'CANCELLED', 0, total) AS total
				  FROM orders ORDER BY number DESC LIMIT :limit
				) AS newest
				LEFT JOIN invoice_line AS line ON line.order_id = newest.id
				ORDER BY newest.number DESC, line.number
				""").param("limit", LOOKED_AT).query((row) -> {
			UUID orderId = UUID.fromString(row.getString("id"));
			invoices.putIfAbsent(orderId, new Invoice(orderId, row.getLong("number"), row.getString("customer"),
					row.getLong("events"), List.of(), BigDecimal.ZERO, row.getBigDecimal("total"), false));
			BigDecimal amount = row.getBigDecimal("amount");
			if (amount != null) {
				long version = row.getLong("version");
				invoices.computeIfPresent(orderId, (id, invoice) -> invoice.with(version, amount));
			}
		});
		return some(List.copyOf(invoices.values()), limit);
	}

	private static List<Invoice> some(List<Invoice> newest, int limit) {
		Stream<Invoice> incomplete = newest.stream().filter((invoice) -> !invoice.isComplete()).limit(limit / 2);
		return Stream.concat(incomplete, newest.stream())
			.distinct()
			.limit(limit)
			.sorted(Comparator.comparing(Invoice::isComplete))
			.toList();
	}

}
