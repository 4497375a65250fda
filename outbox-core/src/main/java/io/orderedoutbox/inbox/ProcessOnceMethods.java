package io.orderedoutbox.inbox;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * The methods that process messages once: those with {@link ProcessOnce}, and those that
 * listen in a class with it. Methods for which that cannot be are refused.
 */
final class ProcessOnceMethods extends StaticMethodMatcherPointcut {

	private final BooleanSupplier isEnabled;

	ProcessOnceMethods(BooleanSupplier isEnabled) {
		this.isEnabled = isEnabled;
		setClassFilter((type) -> AnnotationUtils.isCandidateClass(type, ProcessOnce.class));
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		ProcessOnce annotation = annotationOf(method, targetClass);
		if (annotation == null) {
			return false;
		}
		if (!this.isEnabled.getAsBoolean()) {
			throw new OutboxConfigurationException(
					"%s has @ProcessOnce, but there is no inbox in which to record what was processed."
						.formatted(method),
					"Set outbox.inbox.enabled=true.");
		}
		try {
			JdbcInbox.requireConsumer(annotation.value());
		}
		catch (IllegalArgumentException ex) {
			throw new OutboxConfigurationException("@ProcessOnce of %s: %s.".formatted(method, ex.getMessage()),
					"Correct the name.");
		}
		requireSynchronous(method);
		return true;
	}

	static @Nullable ProcessOnce annotationOf(Method method, Class<?> targetClass) {
		ProcessOnce own = AnnotatedElementUtils.findMergedAnnotation(method, ProcessOnce.class);
		if (own != null) {
			return own;
		}
		return listens(method) ? AnnotatedElementUtils.findMergedAnnotation(targetClass, ProcessOnce.class) : null;
	}

	private static boolean listens(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, RabbitListener.class)
				|| AnnotatedElementUtils.hasAnnotation(method, RabbitHandler.class);
	}

	private static void requireSynchronous(Method method) {
		Class<?> result = method.getReturnType();
		if (Future.class.isAssignableFrom(result)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null) {
			throw new OutboxConfigurationException(
					"%s has @ProcessOnce and returns a %s: its work would go on after its transaction."
						.formatted(method, result.getName()),
					"Let it return when its work is done.");
		}
		if (List.of(method.getParameterTypes()).stream().anyMatch(List.class::equals)) {
			throw new OutboxConfigurationException(
					"%s has @ProcessOnce and takes a list: a batch has no single message id.".formatted(method),
					"Take one message at a time, or call the bean of type Inbox for each message of the batch.");
		}
	}

}
