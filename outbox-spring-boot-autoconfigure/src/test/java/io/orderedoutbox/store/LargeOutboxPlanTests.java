package io.orderedoutbox.store;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.store.MeasuredPlan.Read;
import io.orderedoutbox.servers.RequiresMySql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No statement of a relay reads or sorts more of a large outbox than it asks for, whether
 * the database knows that the outbox is large or still takes it for empty; and each finds
 * its rows by the index that is documented. {@code -Doutbox.test.rows} says how large.
 */
@TestInstance(Lifecycle.PER_CLASS)
class LargeOutboxPlanTests {

	private static final Logger logger = LoggerFactory.getLogger(LargeOutboxPlanTests.class);

	// Six milliseconds on two cores of 2026 with nothing else to do, which benchmarks
	// measure and a test cannot count on; reading everything would take a hundred
	private static final Duration ENOUGH = Duration.ofMillis(40);

	private static final int CLAIMS = 20;

	private static final int ROUNDS = 10;

	private static final int MESSAGES = Integer.getInteger("outbox.test.rows", 100_000);

	private static final Map<String, String> TABLES = Map.of("m", "outbox_message", "e", "outbox_message", "s",
			"outbox_stripe", "f", "outbox_failed");

	private static final Path DOCUMENTATION = Path.of("..", "docs", "schema.md");

	private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(\\w+)` \\|[^|]*\\| (.*) \\|$");

	private static final Pattern INDEX = Pattern.compile("`(\\w+\\.\\w+)`");

	private final List<Examined> examined = new ArrayList<>();

	private LargeOutbox outbox;

	@BeforeAll
	void examine() {
		this.outbox = new LargeOutbox(MESSAGES);
		List<Call> calls = Call.ofARelay(this.outbox);
		examine("statistics of an empty table", calls);
		this.outbox.takeStatistics();
		examine("fresh statistics", calls);
	}

	@AfterAll
	void close() {
		this.outbox.close();
	}

	private void examine(String statistics, List<Call> calls) {
		OutboxTables tables = this.outbox.tables();
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(tables.writer()));
		for (Call call : calls) {
			transaction.executeWithoutResult((status) -> {
				status.setRollbackOnly();
				MeasuredPlan plan = tables.explain().measure(call.sql(), call.arguments());
				Examined examined = new Examined(statistics, call, plan);
				this.examined.add(examined);
				logger.debug("Among {} messages {}: {}\n{}", MESSAGES, examined, plan.reads(), plan.text());
			});
		}
	}

	private List<Examined> examined() {
		return this.examined;
	}

	@Test
	void noStatementIsForgotten() {
		Set<String> statements = Arrays.stream(OutboxStatements.class.getDeclaredFields())
			.filter((field) -> field.getType() == String.class && !Modifier.isStatic(field.getModifiers()))
			.map(Field::getName)
			.collect(Collectors.toSet());
		// MySQL shows no tree of the reading of the first two; the next two read no
		// table, and the last nothing of it
		Set<String> known = new TreeSet<>(
				List.of("lockAndInsert", "keptLockAndInsert", "keptInsert", "identify", "probeArchive"));
		this.examined.forEach((one) -> known.add(one.call.statement()));
		assertThat(known).isEqualTo(statements);
	}

	@ParameterizedTest
	@MethodSource("examined")
	void nothingIsReadFromEndToEndOrSorted(Examined examined) {
		assertThat(examined.plan.reads()).as(examined.plan.text()).noneMatch(Read::isFullScan);
		assertThat(examined.plan.sorts()).as(examined.plan.text()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("examined")
	void noMoreRowsAreReadThanASmallMultipleOfWhatIsAskedFor(Examined examined) {
		long rows = examined.plan.reads().stream().mapToLong(Read::rows).sum();
		assertThat(rows).as(examined.plan.text()).isLessThanOrEqualTo(3L * examined.call.rows());
		if (examined.plan.isMeasured() && !examined.plan.reads().isEmpty()) {
			assertThat(rows).as("it read what it was asked for: " + examined.plan.text())
				.isGreaterThanOrEqualTo(examined.call.rows());
		}
	}

	@ParameterizedTest
	@MethodSource("examined")
	void rowsAreFoundByTheDocumentedIndex(Examined examined) throws IOException {
		Map<String, Set<String>> documented = new TreeMap<>();
		DOCUMENTED.matcher(Files.readString(DOCUMENTATION))
			.results()
			.forEach((row) -> documented.put(row.group(1), indexes(row)));
		assertThat(documented).containsEntry(examined.call.statement(), examined.indexes());
	}

	private static Set<String> indexes(MatchResult row) {
		return INDEX.matcher(row.group(2))
			.results()
			.map((index) -> index.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Test
	void whatWouldBeBadIsSeen() {
		MeasuredPlan plan = this.outbox.tables()
			.explain()
			.measure("SELECT id FROM outbox_message ORDER BY available_at DESC, payload_size LIMIT 10");
		assertThat(plan.reads()).as(plan.text()).singleElement().satisfies((read) -> {
			assertThat(read.isFullScan()).isTrue();
			assertThat(read.rows()).isEqualTo(MESSAGES);
		});
		assertThat(plan.sorts()).as(plan.text()).hasSize(1);
		assertThat(plan.isMeasured()).isTrue();
	}

	@Test
	@RequiresMySql
	void stretchesAreRanges() {
		OutboxTables tables = this.outbox.tables();
		List<Long> oldest = this.outbox.positions("SELECT id FROM outbox_message ORDER BY id LIMIT 4000");
		StretchStatements stretches = tables.statements().stretches;
		List<String> reading = List.of(stretches.lock, stretches.lockAndLoad, stretches.load);
		assertThat(StretchStatements.class.getDeclaredFields()).hasSize(reading.size() + 1);
		for (int length : List.of(1, 100, 4000)) {
			Object[] range = { oldest.get(0), oldest.get(length - 1), length };
			assertThat(tables.explain().accesses(stretches.delete, range))
				.containsExactly(Map.entry("outbox_message", "range PRIMARY"));
			// To read a single row is no range
			assertThat(reading).allSatisfy((statement) -> assertThat(tables.explain().accesses(statement, range))
				.containsExactly(Map.entry("m", (length > 1) ? "range PRIMARY" : "const PRIMARY")));
		}
	}

	@Test
	void headsAreFoundByALooseScan() {
		List<Examined> looks = this.examined.stream()
			.filter((one) -> one.call.statement().equals("lookForHeads"))
			.toList();
		assertThat(looks).hasSizeGreaterThan(2)
			.allSatisfy((look) -> assertThat(look.plan.reads()).as(look.plan.text()).anyMatch(Read::isLooseScan));
	}

	// What else the machine has to do only makes it slower: one round without it is
	// enough
	@Test
	void aClaimFindsAndLocksItsHeadsWithoutReadingEverything() {
		ClaimSettings settings = new ClaimSettings(true, 2_000, DataSize.ofMegabytes(16), Duration.ofSeconds(20));
		OutboxDatabase database = new OutboxDatabase(this.outbox.tables().writer(), "outbox_");
		List<Duration> medians = new ArrayList<>();
		while (medians.size() < ROUNDS && (medians.isEmpty() || Collections.min(medians).compareTo(ENOUGH) >= 0)) {
			medians.add(Stream.generate(() -> lookAndLock(database, settings))
				.limit(CLAIMS)
				.sorted()
				.toList()
				.get(CLAIMS / 2));
		}
		logger.info("Look and lock of a claim among {} messages: medians of {}: {}", MESSAGES, CLAIMS, medians);
		assertThat(medians).anyMatch((median) -> median.compareTo(ENOUGH) < 0);
	}

	private static Duration lookAndLock(OutboxDatabase database, ClaimSettings settings) {
		// A new worker begins with a look from the very start
		Scan scan = new Scan(database, settings, false, System::nanoTime);
		long start = System.nanoTime();
		Window window = scan.look((run) -> false);
		Duration look = Duration.ofNanos(System.nanoTime() - start);
		try (LimitedSession session = LimitedSession.open(database.dataSource(), database.statements().dialect(),
				settings.lockTimeout()); JdbcClaim claim = JdbcClaim.begin(database, session)) {
			List<Long> heads = window.candidates().stream().map((run) -> run.head().id()).toList();
			int limit = Candidate.cut(window.candidates(), settings).size();
			start = System.nanoTime();
			assertThat(claim.rows().lock(heads, limit)).hasSize(limit);
			return look.plusNanos(System.nanoTime() - start);
		}
	}

	/**
	 * A statement, and how it was carried out.
	 */
	record Examined(String statistics, Call call, MeasuredPlan plan) {

		private Set<String> indexes() {
			return this.plan.reads()
				.stream()
				.map((read) -> TABLES.getOrDefault(read.table(), read.table()) + "." + read.index())
				.collect(Collectors.toCollection(TreeSet::new));
		}

		@Override
		public String toString() {
			return this.call.statement() + ", " + this.call.rows() + " rows, " + this.statistics;
		}

	}

}
