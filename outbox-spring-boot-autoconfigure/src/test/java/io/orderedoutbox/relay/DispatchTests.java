package io.orderedoutbox.relay;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Consumer;

import io.orderedoutbox.Destination;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.relay.FailurePolicy.OnExhausted;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.Run;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What no broker does on demand: being silent about one message, or about all of them in
 * the middle of a batch.
 */
@Tag("unit")
@Timeout(30)
class DispatchTests {

	private static final Duration CONFIRM_TIMEOUT = Duration.ofMillis(200);

	private static final RetryPolicy BACK_OFF = new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0);

	private final Script broker = new Script();

	private final Suspects suspects = new Suspects(BACK_OFF);

	private boolean stopping;

	private boolean pipelined;

	@Test
	void ofEachKeyOneMessageIsInFlightAtATime() {
		Dispatch dispatch = dispatch(run(1, 2, 3), run(11, 12));
		dispatch.through(this.broker);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 3L, 11L, 12L);
		assertThat(this.broker.sent).startsWith(1L, 11L);
		assertThat(this.broker.greatestInFlight).isEqualTo(2);
	}

	@Test
	void nothingBehindAFailedMessageLeaves() {
		this.broker.refused.add(2L);
		Dispatch dispatch = dispatch(run(1, 2, 3), run(11, 12));
		dispatch.through(this.broker);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 11L, 12L);
		assertThat(failed(dispatch)).containsExactly(2L);
		assertThat(this.broker.sent).doesNotContain(3L);
	}

	@Test
	void aMessageThatIsSilentWhileLaterOnesAreConfirmedHasFailed() {
		this.broker.silent.add(1L);
		Dispatch dispatch = dispatch(run(1, 2), run(11, 12), run(21));
		dispatch.through(this.broker);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(11L, 12L, 21L);
		assertThat(failed(dispatch)).containsExactly(1L);
		assertThat(dispatch.outage()).isNull();
	}

	@Test
	void aBrokerThatConfirmsNothingIsAnOutage() {
		this.broker.silent.addAll(List.of(1L, 11L));
		Dispatch dispatch = dispatch(run(1), run(11));
		dispatch.through(this.broker);
		assertThat(dispatch.results().published()).isEmpty();
		assertThat(failed(dispatch)).isEmpty();
		assertThat(dispatch.outage()).hasMessageContaining("no confirm");
	}

	@Test
	void aBrokerThatFallsSilentInTheMiddleOfABatchIsAnOutage() {
		this.broker.silent.addAll(List.of(2L, 12L));
		Dispatch dispatch = dispatch(run(1, 2), run(11, 12));
		dispatch.through(this.broker);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 11L);
		assertThat(failed(dispatch)).isEmpty();
		assertThat(dispatch.outage()).hasMessageContaining("no confirm");
	}

	@Test
	void theMessageThatClosesTheChannelIsFoundAndItsNeighboursAreSpared() {
		this.broker.closing.add(11L);
		Dispatch dispatch = dispatch(run(1, 2), run(11, 12), run(21, 22));
		dispatch.through(this.broker);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 21L, 22L);
		assertThat(failed(dispatch)).containsExactly(11L);
	}

	@Test
	void severalMessagesThatCloseTheChannelAreAllFound() {
		this.broker.closing.addAll(List.of(1L, 11L, 22L));
		Dispatch dispatch = dispatch(run(1, 2), run(11, 12), run(21, 22));
		dispatch.through(this.broker);
		assertThat(dispatch.results().published()).containsExactly(21L);
		assertThat(failed(dispatch)).containsExactlyInAnyOrder(1L, 11L, 22L);
	}

	@Test
	void afterTheClaimIsLostNothingMoreIsSent() {
		ScriptedClaim claim = new ScriptedClaim(List.of(run(1, 2, 3)));
		claim.lost = true;
		Dispatch dispatch = new Dispatch(claim, settings(Duration.ZERO), this.suspects, () -> this.stopping);
		dispatch.through(this.broker);
		assertThat(dispatch.isClaimLost()).isTrue();
		assertThat(this.broker.sent).isEmpty();
	}

	@Test
	void whenToldToStopItWaitsForWhatIsInFlightAndSendsNothingMore() {
		this.broker.onSend = (id) -> this.stopping = true;
		Dispatch dispatch = dispatch(run(1, 2), run(11));
		dispatch.through(this.broker);
		assertThat(this.broker.sent).containsExactly(1L);
		assertThat(dispatch.results().published()).containsExactly(1L);
	}

	@Test
	void asManyKeysAreInFlightAsAllowedAndNoMore() {
		WorkerSettings three = settings(Duration.ofMinutes(1), 3);
		Dispatch dispatch = new Dispatch(new ScriptedClaim(List.of(run(1, 2), run(11), run(21), run(31), run(41, 42))),
				three, this.suspects, () -> this.stopping);
		dispatch.through(this.broker);
		assertThat(this.broker.greatestInFlight).isEqualTo(3);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 11L, 21L, 31L, 41L, 42L);
	}

	@Test
	void whatWasConfirmedBeforeTheBrokerWasLostIsPublishedAndTheRestUnknown() {
		this.broker.losing.add(2L);
		Dispatch dispatch = dispatch(run(1, 2, 3), run(11));
		dispatch.through(this.broker);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 11L);
		assertThat(failed(dispatch)).isEmpty();
		assertThat(dispatch.outage()).hasMessage("lost");
		assertThat(this.broker.sent).doesNotContain(3L);
	}

	@Test
	void afterTheChannelWasClosedMessagesAreSentAgainOneAtATimeInTheirOrder() {
		this.broker.closing.add(21L);
		Dispatch dispatch = dispatch(run(1, 2), run(11), run(21, 22));
		dispatch.through(this.broker);
		assertThat(this.broker.sent).startsWith(1L, 11L, 21L, 1L, 11L, 21L).doesNotContain(22L);
		assertThat(this.broker.greatestInFlightAfterClose).isEqualTo(1);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 11L);
	}

	@Test
	void aDamagedMessageFailsWithoutBeingSentAndEndsItsRun() {
		Run damaged = new Run(List.of(message(1), damaged(2), message(3)));
		Dispatch dispatch = dispatch(damaged, run(11));
		dispatch.through(this.broker);
		assertThat(this.broker.sent).containsExactlyInAnyOrder(1L, 11L);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 11L);
		assertThat(failed(dispatch)).containsExactly(2L);
	}

	@Test
	void aClaimLostOnTheWayEndsEveryRunOnceWhatIsInFlightIsSettled() {
		ScriptedClaim claim = new ScriptedClaim(List.of(run(1, 2), run(11, 12)));
		this.broker.onSend = (id) -> claim.lost = id == 11L;
		Dispatch dispatch = new Dispatch(claim, settings(Duration.ZERO), this.suspects, () -> this.stopping);
		dispatch.through(this.broker);
		assertThat(dispatch.isClaimLost()).isTrue();
		assertThat(this.broker.sent).containsExactly(1L, 11L);
	}

	@Test
	void aMessageThatTheSenderCannotHandleHasFailed() {
		this.broker.onSend = (id) -> {
			if (id == 2L) {
				throw new IllegalArgumentException("no such thing");
			}
		};
		Dispatch dispatch = dispatch(run(1, 2, 3), run(11));
		dispatch.through(this.broker);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 11L);
		assertThat(failed(dispatch)).containsExactly(2L);
		assertThat(dispatch.results().failed()).extracting(FailedMessage::error)
			.containsExactly("java.lang.IllegalArgumentException: no such thing");
	}

	@Test
	void anExchangeThatClosesTheChannelThreeTimesIsPausedAndItsMessagesSpendNoAttempt() {
		List<Run> runs = new ArrayList<>();
		for (long id = 1; id <= 40; id++) {
			runs.add(new Run(List.of(message(id, (id % 2 == 0) ? "missing" : "good"))));
			if (id % 2 == 0) {
				this.broker.closing.add(id);
			}
		}
		Dispatch dispatch = new Dispatch(new ScriptedClaim(runs), settings(Duration.ofMinutes(1)), this.suspects,
				() -> this.stopping);
		dispatch.through(this.broker);
		assertThat(dispatch.results().published()).hasSize(20).allMatch((id) -> id % 2 == 1);
		assertThat(failed(dispatch)).hasSize(3);
		assertThat(fates(dispatch, Fate.POSTPONED)).hasSize(17);
		assertThat(dispatch.results().failed()).filteredOn((failure) -> failure.fate() == Fate.POSTPONED)
			.allMatch((failure) -> failure.error().contains("closed") && !failure.delay().isNegative());
	}

	@Test
	void whatGoesToAnExchangeThatHasClosedTheChannelIsSentLastAndAlone() {
		this.suspects.refused(message(99, "odd"), "closed");
		Dispatch dispatch = new Dispatch(new ScriptedClaim(List.of(new Run(List.of(message(1, "odd"))), run(11, 12))),
				settings(Duration.ofMinutes(1)), this.suspects, () -> this.stopping);
		dispatch.through(this.broker);
		assertThat(this.broker.sent).containsExactly(11L, 12L, 1L);
		assertThat(this.suspects.isSuspect(message(2, "odd"))).isFalse();
	}

	@Test
	void aDestinationThatIsSilentIsPausedAndItsNeighboursOnTheSameExchangeAreNot() {
		this.broker.silent.add(1L);
		dispatch(run(1), new Run(List.of(to(new Destination("", "elsewhere"), 11)))).through(this.broker);
		Run silentAgain = new Run(List.of(message(2)));
		Run neighbour = new Run(List.of(to(new Destination("", "elsewhere"), 21)));
		Dispatch next = dispatch(silentAgain, neighbour);
		next.through(this.broker);
		assertThat(next.results().published()).containsExactly(21L);
		assertThat(fates(next, Fate.POSTPONED)).containsExactly(2L);
	}

	@Test
	void aPipelinedRunDoesNotWaitForConfirmsAndKeepsItsOrder() {
		this.pipelined = true;
		Dispatch dispatch = dispatch(run(1, 2, 3, 4), run(11, 12));
		dispatch.through(this.broker);
		assertThat(this.broker.sent).containsExactly(1L, 11L, 2L, 12L, 3L, 4L);
		assertThat(this.broker.greatestInFlight).isEqualTo(6);
		assertThat(dispatch.results().published()).containsExactly(1L, 11L, 2L, 12L, 3L, 4L);
	}

	@Test
	void aPipelinedRunEndsWithAFailureAndWhatWasSentBehindItIsPublished() {
		this.pipelined = true;
		this.broker.refused.add(2L);
		Dispatch dispatch = new Dispatch(new ScriptedClaim(List.of(run(1, 2, 3, 4, 5, 6))),
				settings(Duration.ofMinutes(1), 3), this.suspects, () -> this.stopping);
		dispatch.through(this.broker);
		assertThat(this.broker.sent).containsExactly(1L, 2L, 3L);
		assertThat(failed(dispatch)).containsExactly(2L);
		assertThat(dispatch.results().published()).containsExactly(1L, 3L);
	}

	@Test
	void aPipelinedRunGoesBackToWhatIsInDoubtAndFindsTheCulprit() {
		this.pipelined = true;
		this.broker.closing.add(3L);
		Dispatch dispatch = dispatch(run(1, 2, 3, 4), run(11, 12));
		dispatch.through(this.broker);
		assertThat(failed(dispatch)).containsExactly(3L);
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 11L, 12L);
		assertThat(this.broker.sent).as("4 left before the channel was closed, and not again").containsOnlyOnce(4L);
		assertThat(this.broker.sent.stream().distinct().filter((id) -> id < 10)).containsExactly(1L, 2L, 3L, 4L);
	}

	@Test
	void aPipelinedRunThatIsCutOffKeepsWhatWasConfirmed() {
		this.pipelined = true;
		this.broker.losing.add(3L);
		Dispatch dispatch = dispatch(run(1, 2, 3, 4));
		dispatch.through(this.broker);
		assertThat(dispatch.outage()).hasMessage("lost");
		assertThat(failed(dispatch)).isEmpty();
		assertThat(dispatch.results().published()).doesNotContain(3L, 4L);
	}

	private Dispatch dispatch(Run... runs) {
		return new Dispatch(new ScriptedClaim(List.of(runs)), settings(Duration.ofMinutes(1)), this.suspects,
				() -> this.stopping);
	}

	private WorkerSettings settings(Duration renewInterval) {
		return settings(renewInterval, 100);
	}

	private WorkerSettings settings(Duration renewInterval, int maxInFlight) {
		return new WorkerSettings(Duration.ofSeconds(1), maxInFlight, this.pipelined, CONFIRM_TIMEOUT, renewInterval,
				new FailurePolicy(BACK_OFF, 0, OnExhausted.BLOCK), BACK_OFF);
	}

	private static List<Long> fates(Dispatch dispatch, Fate fate) {
		return dispatch.results()
			.failed()
			.stream()
			.filter((failure) -> failure.fate() == fate)
			.map(FailedMessage::id)
			.toList();
	}

	private static List<Long> failed(Dispatch dispatch) {
		return fates(dispatch, Fate.RETRIED);
	}

	private static Run run(long... ids) {
		return new Run(Arrays.stream(ids).mapToObj(DispatchTests::message).toList());
	}

	private static StoredMessage message(long id) {
		return message(id, "");
	}

	private static StoredMessage message(long id, String exchange) {
		return to(new Destination(exchange, "key"), id);
	}

	private static StoredMessage to(Destination destination, long id) {
		return stored(id, destination, null);
	}

	private static StoredMessage damaged(long id) {
		return stored(id, new Destination("", ""), "The row is damaged");
	}

	private static StoredMessage stored(long id, Destination destination, String defect) {
		Message message = new Message(new UUID(0, id), "order.placed", "", destination, "text/plain",
				"".getBytes(StandardCharsets.UTF_8), Map.of());
		return new StoredMessage(id, message, Instant.EPOCH, 0, defect);
	}

	/**
	 * A broker that does as it is told.
	 */
	private static final class Script implements MessageSender {

		private final List<Long> silent = new ArrayList<>();

		private final List<Long> refused = new ArrayList<>();

		private final List<Long> closing = new ArrayList<>();

		private final List<Long> losing = new ArrayList<>();

		private final List<Long> sent = new ArrayList<>();

		private int greatestInFlight;

		private int greatestInFlightAfterClose;

		private boolean closedOnce;

		private Consumer<Long> onSend = (id) -> {
		};

		@Override
		public void withChannel(Consumer<SendingChannel> work) {
			work.accept(new ScriptedChannel());
		}

		private final class ScriptedChannel implements SendingChannel {

			private final Queue<Long> inFlight = new ArrayDeque<>();

			@Override
			public void send(StoredMessage message) {
				Script.this.sent.add(message.id());
				this.inFlight.add(message.id());
				Script.this.greatestInFlight = Math.max(Script.this.greatestInFlight, this.inFlight.size());
				if (Script.this.closedOnce) {
					Script.this.greatestInFlightAfterClose = Math.max(Script.this.greatestInFlightAfterClose,
							this.inFlight.size());
				}
				Script.this.onSend.accept(message.id());
			}

			@Override
			public Outcome nextOutcome(Duration timeout) {
				if (this.inFlight.stream().anyMatch(Script.this.closing::contains)) {
					Script.this.closedOnce = true;
					throw new ChannelRefusedException("closed");
				}
				if (Script.this.losing.contains(this.inFlight.element())) {
					throw new TransportException("lost", null);
				}
				Long next = this.inFlight.stream()
					.filter((id) -> !Script.this.silent.contains(id))
					.findFirst()
					.orElse(null);
				if (next == null) {
					pause(timeout);
					return null;
				}
				this.inFlight.remove(next);
				return Script.this.refused.contains(next) ? Outcome.failed(next, "refused") : Outcome.published(next);
			}

			private static void pause(Duration timeout) {
				try {
					Thread.sleep(timeout.toMillis() + 1);
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}

		}

	}

	private static final class ScriptedClaim extends StandingClaim {

		private boolean lost;

		ScriptedClaim(List<Run> runs) {
			super(runs);
		}

		@Override
		public boolean renew() {
			return !this.lost;
		}

	}

}
