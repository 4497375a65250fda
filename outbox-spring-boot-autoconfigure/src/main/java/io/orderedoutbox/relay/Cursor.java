package io.orderedoutbox.relay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.Destination;
import io.orderedoutbox.store.Run;
import io.orderedoutbox.store.StoredMessage;

/**
 * Where a run has got to.
 */
final class Cursor {

	private final Run run;

	private int position;

	private boolean pipelined;

	private boolean ended;

	Cursor(Run run, boolean pipelined) {
		this.run = run;
		this.pipelined = pipelined;
	}

	StoredMessage message() {
		return this.run.messages().get(this.position);
	}

	Flight sent() {
		return new Flight(this, this.position, message(), System.nanoTime());
	}

	/**
	 * Whether the next message may leave before the last one is confirmed.
	 */
	boolean isPipelined() {
		return this.pipelined;
	}

	/**
	 * Nothing more of this run is to leave.
	 */
	void end() {
		this.ended = true;
	}

	boolean isEnded() {
		return this.ended;
	}

	/**
	 * Go back to a message whose outcome will not be known, and from there on one message
	 * at a time.
	 */
	void returnTo(Flight flight) {
		this.position = flight.position();
		this.pipelined = false;
	}

	/**
	 * Go on to the next message.
	 * @return {@code false} if there is none
	 */
	boolean advance() {
		this.position++;
		return this.position < this.run.messages().size();
	}

	/**
	 * The same cursors, but before the second of any destination the first of every
	 * other: a destination to blame is found after few messages.
	 */
	static List<Cursor> eachDestinationFirst(Collection<Cursor> cursors) {
		List<Cursor> first = new ArrayList<>();
		List<Cursor> further = new ArrayList<>();
		Set<Destination> seen = new HashSet<>();
		for (Cursor cursor : cursors) {
			boolean isFirst = seen.add(cursor.message().message().destination());
			(isFirst ? first : further).add(cursor);
		}
		first.addAll(further);
		return first;
	}

}
