/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.List;

import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.servers.RequiresPostgreSql;
import io.orderedoutbox.store.Claim;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the database refuses, where an error ends all that a transaction can do: the claim
 * stands, and its other messages are completed.
 */
@RequiresPostgreSql
class UndoneSettlementTests {

	private final OutboxTables tables = new OutboxTables();

	private final ClaimWorker worker = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 100));

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void whatTheDatabaseRefusesToDeleteDoesNotKeepAClaimFromItsOtherMessages() {
		this.tables.commit("a", "b", "c");
		refuseToDelete(2);
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(1L), List.of());
			assertThatExceptionOfType(DataIntegrityViolationException.class)
				.isThrownBy(() -> claim.settle(List.of(2L, 3L), List.of()))
				.withMessageContaining("no row 2");
			assertThat(claim.renew()).isTrue();
			claim.settle(List.of(3L), List.of());
			claim.commit();
		}
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).containsExactly(2L);
	}

	private void refuseToDelete(long id) {
		this.tables.jdbc().sql("""
				CREATE FUNCTION refuse() RETURNS TRIGGER LANGUAGE PLPGSQL AS $$
				BEGIN RAISE EXCEPTION 'no row %', OLD.id; END $$""").update();
		this.tables.jdbc()
			.sql("CREATE TRIGGER refuse BEFORE DELETE ON outbox_message FOR EACH ROW WHEN (OLD.id = %d) EXECUTE FUNCTION refuse()"
				.formatted(id))
			.update();
	}

}
