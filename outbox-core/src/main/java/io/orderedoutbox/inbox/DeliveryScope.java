package io.orderedoutbox.inbox;

import java.util.Arrays;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;

/**
 * Around a listener: while it processes a message, the message is known on the thread.
 */
public final class DeliveryScope implements MethodInterceptor {

	private static final ThreadLocal<@Nullable Message> CURRENT = new ThreadLocal<>();

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Message before = CURRENT.get();
		CURRENT.set(Arrays.stream(invocation.getArguments())
			.filter(Message.class::isInstance)
			.map(Message.class::cast)
			.findFirst()
			.orElse(null));
		try {
			return invocation.proceed();
		}
		finally {
			if (before != null) {
				CURRENT.set(before);
			}
			else {
				CURRENT.remove();
			}
		}
	}

	static @Nullable Message current() {
		return CURRENT.get();
	}

}
