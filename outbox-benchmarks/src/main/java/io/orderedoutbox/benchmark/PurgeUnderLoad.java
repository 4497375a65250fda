package io.orderedoutbox.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

import io.orderedoutbox.admin.RetainedMessages;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.SqlFragments;
import io.orderedoutbox.jdbc.admin.JdbcArchive;
import io.orderedoutbox.jdbc.admin.JdbcDeadLetters;

/**
 * What business transactions feel of the removal of old messages, while a relay archives
 * what they publish.
 */
final class PurgeUnderLoad implements Scenario {

	private static final int OLD = 200_000;

	private static final int SEED = 1_000;

	private static final int WRITERS = 2;

	private static final Duration ALONE = Duration.ofSeconds(10);

	private static final Duration RETENTION = Duration.ofDays(7);

	private static final String AT_REST = "transactions while nothing is removed";

	@Override
	public String name() {
		return "purge";
	}

	@Override
	public String title() {
		return "remove 200,000 old rows beside transactions with one event";
	}

	@Override
	public List<Figure> measure(Bench bench) throws Exception {
		Rounds rounds = new Rounds();
		for (int round = 1; round <= bench.rounds(); round++) {
			try (BenchQueue queue = bench.freshQueue();
					Instance instance = bench.instance(bench.freshDatabase())
						.with("outbox.archive.enabled", true)
						.with("outbox.archive.retention", "0s")
						.with("outbox.rabbit.exchange", "")
						.with("outbox.rabbit.routing-key", queue.name())
						.start()) {
				measure(bench, instance, rounds);
			}
		}
		System.out.print(rounds);
		List<Figure> figures = new ArrayList<>();
		for (String table : List.of("archive", "dead_letter")) {
			figures.add(longest(rounds, table));
			figures.add(new Figure(name(), rate(table), rounds.median(rate(table)), "rows/s", null, null));
		}
		return figures;
	}

	private Figure longest(Rounds rounds, String table) {
		String what = what(table) + ", longest";
		return new Figure(name(), what, rounds.median(what), "ms", rounds.limit(what, AT_REST + ", longest", "at rest"),
				null);
	}

	private static String what(String table) {
		return "transactions while rows of " + table + " are removed";
	}

	private static String rate(String table) {
		return "rows of " + table + " removed";
	}

	private void measure(Bench bench, Instance instance, Rounds rounds) throws Exception {
		Accounts accounts = Accounts.create(instance, WRITERS * PublishSlice.ACCOUNTS);
		OutboxDatabase database = instance.bean(OutboxDatabase.class);
		fill(instance, database, "archive", "payload_size, published_at", "3", bench.scaled(OLD));
		fill(instance, database, "dead_letter", "dead_at", "", bench.scaled(OLD));
		transactions(bench, accounts, until(Duration.ofSeconds(5)));
		note(rounds, AT_REST, transactions(bench, accounts, until(ALONE)));
		remove(bench, accounts, rounds, "archive", new JdbcArchive(database));
		remove(bench, accounts, rounds, "dead_letter", new JdbcDeadLetters(database));
	}

	private static void remove(Bench bench, Accounts accounts, Rounds rounds, String table, RetainedMessages messages)
			throws InterruptedException {
		long start = System.nanoTime();
		CompletableFuture<Long> removal = CompletableFuture.supplyAsync(() -> messages.purge(RETENTION, () -> true));
		note(rounds, what(table), transactions(bench, accounts, () -> !removal.isDone()));
		if (removal.join() != bench.scaled(OLD)) {
			throw new IllegalStateException("%d rows of %s were removed".formatted(removal.join(), table));
		}
		rounds.add(rate(table), removal.join() / ((System.nanoTime() - start) / 1e9));
	}

	private static BooleanSupplier until(Duration duration) {
		long end = System.nanoTime() + duration.toNanos();
		return () -> System.nanoTime() < end;
	}

	// All of them are as old
	private static void fill(Instance instance, OutboxDatabase database, String table, String columns, String size,
			int rows) {
		SqlFragments sql = database.dialect().sql();
		String old = sql.after(String.valueOf(-Duration.ofDays(30).toNanos() / 1_000), sql.now());
		String name = database.tablePrefix() + table;
		String all = "position, message_id, name, partition_key, exchange, routing_key, content_type, payload, created_at, attempts, "
				+ columns;
		String values = size.isEmpty() ? old : size + ", " + old;
		String one = "INSERT INTO %s (%s) VALUES (?, ?, 'old', 'key', '', 'queue', 'text/plain', ?, %s, 0, %s)"
			.formatted(name, all, old, values);
		for (int row = 0; row < SEED; row++) {
			instance.jdbc().sql(one).params(row, "id-" + row, new byte[] { 1, 2, 3 }).update();
		}
		for (int present = SEED; present < rows;) {
			present += instance.jdbc()
				.sql("INSERT INTO %1$s (%2$s) SELECT %2$s FROM %1$s ORDER BY id LIMIT ?".formatted(name, all))
				.param(Math.min(present, Math.min(50_000, rows - present)))
				.update();
		}
	}

	private static List<Long> transactions(Bench bench, Accounts accounts, BooleanSupplier goOn)
			throws InterruptedException {
		List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
		try (Workers workers = new Workers(WRITERS)) {
			workers.run((worker) -> {
				while (goOn.getAsBoolean()) {
					int account = worker * PublishSlice.ACCOUNTS
							+ ThreadLocalRandom.current().nextInt(PublishSlice.ACCOUNTS);
					long start = System.nanoTime();
					accounts.change(account, AccountChanged.of(nanos.size(), account, bench.payloads()));
					nanos.add(System.nanoTime() - start);
				}
			});
		}
		return nanos;
	}

	private static void note(Rounds rounds, String what, List<Long> nanos) {
		List<Long> sorted = nanos.stream().sorted().toList();
		rounds.add(what + ", p99", sorted.get((int) (0.99 * (sorted.size() - 1))) / 1e6);
		rounds.add(what + ", longest", sorted.get(sorted.size() - 1) / 1e6);
	}

}
