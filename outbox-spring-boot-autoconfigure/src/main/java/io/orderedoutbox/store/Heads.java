package io.orderedoutbox.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Locks what was taken for the head of a partition key, and tells whether it is one: see
 * steps 4 to 6 of {@link JdbcClaims}.
 */
final class Heads {

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private final Scan scan;

	Heads(OutboxDatabase database, ClaimSettings settings, Scan scan) {
		this.database = database;
		this.settings = settings;
		this.scan = scan;
	}

	/**
	 * Lock those of the runs that can be locked, from the first on, as many as a claim
	 * takes.
	 */
	List<Candidate> lock(JdbcClaim claim, List<Candidate> candidates) {
		if (candidates.isEmpty()) {
			return List.of();
		}
		// The others are left for other workers
		int limit = Candidate.count(candidates, this.settings.batchSize());
		List<Long> heads = Candidate.heads(candidates);
		// Whoever locks many large ones may not be able to hold them all
		boolean small = Candidate.headBytes(candidates) <= this.settings.batchBytes().toBytes();
		Set<Long> locked = small ? claim.rows().lockAndLoad(heads, limit) : claim.rows().lock(heads, limit);
		return candidates.stream().filter((run) -> locked.contains(run.head().id())).toList();
	}

	/**
	 * Those of the runs, locked by the claim, that begin with the head of their key.
	 * @param window that has shown them
	 */
	List<Candidate> among(List<Candidate> locked, JdbcClaim claim, Window window) {
		List<Candidate> owned = window.fromStart() ? locked : verified(locked, claim, window.seenAt(), window.start());
		boolean seenInOrder = this.database.statements().dialect().hasAtomicSnapshots() || owned.isEmpty();
		return seenInOrder ? owned : agreeing(owned, this.scan.lookAgain(window));
	}

	/**
	 * The same, as far as the database knows.
	 * @param seenAt when the claim had not begun yet
	 * @param start what is before that was not looked at
	 */
	List<Candidate> verified(List<Candidate> locked, JdbcClaim claim, long seenAt, long start) {
		Floors floors = this.scan.floors();
		floors.check(locked);
		List<Candidate> unknown = locked.stream()
			.filter((run) -> run.isBound(this.settings) && !floors.isHead(run, start))
			.toList();
		Set<Long> heads = unknown.isEmpty() ? Set.of() : claim.rows().verify(Candidate.heads(unknown));
		List<Candidate> mistaken = unknown.stream().filter((run) -> !heads.contains(run.head().id())).toList();
		floors.verified(Candidate.without(unknown, mistaken), seenAt);
		return Candidate.without(locked, mistaken);
	}

	private List<Candidate> agreeing(List<Candidate> owned, List<Row> secondLook) {
		Map<Long, Candidate> again = Candidate.in(secondLook, this.settings)
			.stream()
			.collect(Collectors.toMap((run) -> run.head().id(), Function.identity()));
		List<Candidate> agreed = new ArrayList<>();
		for (Candidate run : owned) {
			Candidate second = again.get(run.head().id());
			if (second != null) {
				agreed.add(second.upTo(run.lastId()));
			}
		}
		return agreed;
	}

}
