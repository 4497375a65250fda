package io.orderedoutbox.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Claims can be decorated.
 */
class ClaimsTests {

	private final List<String> calls = new ArrayList<>();

	@Nullable private Claim claim = mock(Claim.class);

	private final Claims claims = new Claims() {

		@Override
		public @Nullable Claim next() {
			return ClaimsTests.this.claim;
		}

		@Override
		public void end() {
			ClaimsTests.this.calls.add("end");
		}

	};

	@Test
	void eachClaimIsDecorated() {
		Claim decorator = mock(Claim.class);
		assertThat(this.claims.decorated((claim) -> (claim == this.claim) ? decorator : claim).next())
			.isSameAs(decorator);
	}

	@Test
	void whereThereIsNoneNothingIsDecorated() {
		this.claim = null;
		assertThat(this.claims.decorated((claim) -> {
			throw new AssertionError("there is none");
		}).next()).isNull();
	}

	@Test
	void aClaimThatCannotBeDecoratedIsClosed() {
		Claims failing = this.claims.decorated((claim) -> {
			throw new IllegalStateException("no decorator");
		});
		assertThatIllegalStateException().isThrownBy(failing::next).withMessage("no decorator");
		verify(this.claim).close();
	}

	@Test
	void norIsAClaimLeftOpenWhoseDecoratorIsMissing() {
		assertThatNullPointerException().isThrownBy(this.claims.decorated((claim) -> null)::next)
			.withMessageContaining("decorator");
		verify(this.claim).close();
	}

	@Test
	void theEndIsPassedOn() {
		this.claims.decorated(UnaryOperator.identity()).end();
		assertThat(this.calls).containsExactly("end");
	}

}
