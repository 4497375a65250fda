package io.orderedoutbox.inbox.monitor;

import com.fasterxml.jackson.annotation.JsonValue;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * The Actuator endpoint {@code inbox}, which only reads. It tells what this instance
 * knows, and asks neither broker nor database. What is {@code null} is left out.
 *
 * @see OrderedInboxEndpoint
 */
@WebEndpoint(id = "inbox", defaultAccess = Access.READ_ONLY)
public class InboxEndpoint {

	private final InboxConsole console;

	/**
	 * Create an endpoint.
	 * @param console what is shown
	 */
	public InboxEndpoint(InboxConsole console) {
		this.console = console;
	}

	/**
	 * Return the inbox at a glance.
	 * @return the {@link InboxDescriptor}
	 */
	@ReadOperation
	public OperationResponseBody overview() {
		return new Body(this.console.overview());
	}

	/**
	 * Has what it holds written in its place, by the mapper of the endpoints: that of the
	 * application may have names and formats of its own.
	 */
	static final class Body implements OperationResponseBody {

		private final InboxDescriptor content;

		private Body(InboxDescriptor content) {
			this.content = content;
		}

		@JsonValue
		InboxDescriptor content() {
			return this.content;
		}

	}

}
