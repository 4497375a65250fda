package io.orderedoutbox.store;

import java.util.Objects;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * One worker's way to the messages that are due.
 */
@FunctionalInterface
public interface Claims {

	/**
	 * Claim messages that are due. Until the claim is closed, no other worker anywhere
	 * gets a message of the same partition keys. A store may keep something from one
	 * claim for the next, such as a connection, until the worker {@link #rest rests} or
	 * {@link #end ends}.
	 * @return a claim, to be closed, or {@code null} if nothing is due that nobody else
	 * has claimed, as far as one can see: a store may look through what is stalled or
	 * blocked only now and then
	 * @throws org.springframework.dao.DataAccessException if the store cannot be reached
	 */
	@Nullable Claim next();

	/**
	 * The worker does not claim again at once: what was kept for the next claim is given
	 * back. Whoever wraps claims passes it on.
	 */
	default void rest() {
	}

	/**
	 * The worker ends, and will claim nothing more. Whoever wraps claims passes it on:
	 * how far an instance looks depends on how many workers have not ended.
	 */
	default void end() {
	}

	/**
	 * The same claims, each in a decorator.
	 * @param decorator what to make of a claim: never {@code null}, and closes that claim
	 * when it is closed. If it fails, the claim is closed
	 * @return claims that end when these do
	 */
	default Claims decorated(UnaryOperator<Claim> decorator) {
		Claims claims = this;
		return new Claims() {

			@Override
			public @Nullable Claim next() {
				Claim claim = claims.next();
				if (claim == null) {
					return null;
				}
				try {
					return Objects.requireNonNull(decorator.apply(claim), "The decorator of a claim returned null");
				}
				catch (RuntimeException | Error ex) {
					claim.close();
					throw ex;
				}
			}

			@Override
			public void rest() {
				claims.rest();
			}

			@Override
			public void end() {
				claims.end();
			}

		};
	}

}
