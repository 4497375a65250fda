/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.lang.reflect.Method;
import java.util.Arrays;

import io.orderedoutbox.contract.InMemoryStore.Fault;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contracts of stores find what a store does wrong.
 */
@Tag("unit")
class StoreContractFaultTests {

	private static Fault fault = Fault.NONE;

	@ParameterizedTest
	@CsvSource({ "STORES_BEFORE_THE_COMMIT, whatIsRolledBackIsNeverHandedOut",
			"STORES_BEFORE_THE_COMMIT, nothingIsHandedOutBeforeItsTransactionHasCommitted",
			"TAKES_POSITIONS_WHEN_APPENDED, theOrderOfAKeyIsThatOfTheCommitsNotOfTheCalls",
			"FORGETS_DELAYS, aDelayedMessageIsNotHandedOutBeforeItsTimeAndNeitherIsWhatFollowsInItsKey",
			"PASSES_BY_WHAT_WAITS, aDelayedMessageIsNotHandedOutBeforeItsTimeAndNeitherIsWhatFollowsInItsKey" })
	void ofOutboxStores(Fault broken, String test) {
		assertThat(failures(broken, OutboxOfTheFault.class, test)).isPositive();
	}

	@ParameterizedTest
	@CsvSource({ "GIVES_A_KEY_TO_TWO, aKeyHasOneOwner",
			"GIVES_A_KEY_TO_TWO, workersOfSeveralInstancesPublishEachMessageOnceAndInOrder",
			"GIVES_A_KEY_TO_TWO, stepsAtRandomLeadToWhatAModelSays",
			"SETTLES_BEFORE_THE_COMMIT, stepsAtRandomLeadToWhatAModelSays",
			"PASSES_BY_WHAT_WAITS, aMessageThatHasFailedHoldsItsKeyUntilItsTimeAndNoOther",
			"PASSES_BY_WHAT_WAITS, aBlockedMessageHoldsItsKeyAndNoOther",
			"SPENDS_ATTEMPTS_OF_WHAT_WAS_PUT_OFF, aMessageThatWasPutOffWaitsAndSpendsNoAttempt",
			"KEEPS_DEAD_LETTERS, aDeadLetterLeavesItsKeyToThoseBehindIt",
			"LETS_THE_DEAD_COMMIT, aClaimThatIsLostSettlesNothing" })
	void ofRelayStores(Fault broken, String test) {
		assertThat(failures(broken, RelayOfTheFault.class, test)).isPositive();
	}

	// For as long as the contract is patient
	@ParameterizedTest
	@Tag("thorough")
	@CsvSource({ "SETTLES_BEFORE_THE_COMMIT, aClaimThatIsClosedWithoutACommitHasChangedNothing",
			"SETTLES_BEFORE_THE_COMMIT, aFailureThatIsNotCommittedSpendsNoAttempt",
			"REMOVES_WHAT_WAS_NOT_SETTLED, whatWasPublishedIsGoneAfterTheCommitAndTheKeyGoesOnBehindIt" })
	void ofRelayStoresWhoseMessagesAreAwaitedInVain(Fault broken, String test) {
		assertThat(failures(broken, RelayOfTheFault.class, test)).isPositive();
	}

	// Without a fault the same tests are green: InMemoryOutboxStoreTests and
	// InMemoryRelayStoreTests
	private static long failures(Fault broken, Class<?> contract, String test) {
		fault = broken;
		Method method = Arrays.stream(contract.getSuperclass().getDeclaredMethods())
			.filter((one) -> one.getName().equals(test))
			.findFirst()
			.orElseThrow();
		return EngineTestKit.engine("junit-jupiter")
			.selectors(DiscoverySelectors.selectMethod(contract, method))
			.execute()
			.testEvents()
			.failed()
			.count();
	}

	/**
	 * Not found by the build itself.
	 */
	static class OutboxOfTheFault extends OutboxStoreContract {

		@Override
		protected StoreUnderTest create() {
			return new InMemoryStore(fault);
		}

	}

	/**
	 * Not found by the build itself.
	 */
	static class RelayOfTheFault extends RelayStoreContract {

		@Override
		protected StoreUnderTest create() {
			return new InMemoryStore(fault);
		}

	}

}
