package io.orderedoutbox.monitor;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.admin.MessageSelection;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Which messages a client asks for, as its request says.
 *
 * @param id a message id
 * @param key a partition key, empty for the messages that have none
 * @param name a name
 * @param group the name of a group of what has failed
 * @param all whether all are meant
 */
public record Criteria(@Nullable String id, @Nullable String key, @Nullable String name, @Nullable String group,
		@Nullable Boolean all) {

	boolean namesMessages() {
		return this.id != null || this.key != null || this.name != null || this.group != null;
	}

	/**
	 * What a list is narrowed to: everything if nothing is said.
	 */
	MessageSelection ofList() {
		List<MessageSelection> selections = selections();
		Assert.isTrue(selections.size() <= 1, "Only one of 'id', 'key', 'name' and 'group' can be given");
		return selections.isEmpty() ? MessageSelection.all() : selections.get(0);
	}

	/**
	 * What a verb is applied to: nothing is taken for granted.
	 */
	MessageSelection ofVerb() {
		List<MessageSelection> selections = selections();
		if (Boolean.TRUE.equals(this.all)) {
			selections.add(MessageSelection.all());
		}
		Assert.isTrue(selections.size() == 1,
				"Say which messages are meant: exactly one of 'id', 'key', 'name', 'group' and 'all' must be given");
		return selections.get(0);
	}

	/**
	 * What is rerouted: those that go somewhere are meant without another word.
	 * @param origin whether it is said where they go
	 */
	MessageSelection ofReroute(boolean origin) {
		return (origin && !namesMessages() && this.all == null) ? MessageSelection.all() : ofVerb();
	}

	private List<MessageSelection> selections() {
		List<MessageSelection> selections = new ArrayList<>();
		if (this.id != null) {
			selections.add(MessageSelection.message(this.id));
		}
		if (this.key != null) {
			selections.add(this.key.isEmpty() ? MessageSelection.withoutKey() : MessageSelection.key(this.key));
		}
		if (this.name != null) {
			selections.add(MessageSelection.name(this.name));
		}
		if (this.group != null) {
			selections.add(MessageSelection.group(this.group));
		}
		return selections;
	}

}
