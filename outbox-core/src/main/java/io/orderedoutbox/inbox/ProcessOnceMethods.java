/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/**
 * The methods that process messages once: those that listen and have {@link ProcessOnce},
 * or are in a class with it. Methods for which that cannot be are refused: those that
 * nothing listens with, that no proxy can be put around, whose work goes on after they
 * have returned, that take a batch, that acknowledge by themselves, or whose transaction
 * is not that of the record.
 */
final class ProcessOnceMethods extends StaticMethodMatcherPointcut {

	private static final TransactionAttributeSource TRANSACTIONS = new AnnotationTransactionAttributeSource();

	private static final Set<Integer> APART = Set.of(TransactionDefinition.PROPAGATION_REQUIRES_NEW,
			TransactionDefinition.PROPAGATION_NOT_SUPPORTED, TransactionDefinition.PROPAGATION_NEVER);

	private final BooleanSupplier isEnabled;

	ProcessOnceMethods(BooleanSupplier isEnabled) {
		this.isEnabled = isEnabled;
		setClassFilter((type) -> AnnotationUtils.isCandidateClass(type, ProcessOnce.class));
	}

	@Override
	public boolean matches(Method called, Class<?> targetClass) {
		// A proxy of interfaces is called by a method of theirs
		Method method = AopUtils.getMostSpecificMethod(called, targetClass);
		ProcessOnce annotation = annotationOf(method, targetClass);
		if (annotation == null) {
			return false;
		}
		try {
			JdbcInbox.requireConsumer(annotation.value());
		}
		catch (IllegalArgumentException ex) {
			throw new OutboxConfigurationException("@ProcessOnce of %s: %s.".formatted(method, ex.getMessage()),
					"Correct the name.");
		}
		require(this.isEnabled.getAsBoolean(), method, "there is no inbox in which to record what was processed",
				"Set outbox.inbox.enabled=true.");
		require(listens(method), method, "nothing listens with it",
				"Annotate a @RabbitListener, or a @RabbitHandler, with it. Elsewhere use the bean of type Inbox.");
		require((method.getModifiers() & (Modifier.PRIVATE | Modifier.FINAL | Modifier.STATIC)) == 0, method,
				"it is private, final or static, so that nothing can be put around it",
				"Make it an ordinary method; in Kotlin, open.");
		require(!isAsynchronous(method, targetClass), method, "its work would go on after its transaction",
				"Let it return when its work is done.");
		require(!isApart(method, targetClass), method,
				"its @Transactional takes its work out of the transaction of the record, so that one can be committed without the other",
				"Remove the propagation REQUIRES_NEW, NOT_SUPPORTED or NEVER.");
		require(Arrays.stream(method.getParameterTypes()).noneMatch(List.class::equals), method,
				"it takes a list, and a batch has no single message id",
				"Take one message at a time, or call the bean of type Inbox for each message of the batch.");
		require(!acknowledges(method, targetClass), method,
				"it acknowledges by itself, before the transaction has committed, or not at all",
				"Remove ackMode and the parameter of type Channel: the container acknowledges when the method has returned.");
		return true;
	}

	private static void require(boolean condition, Method method, String what, String remedy) {
		if (!condition) {
			throw new OutboxConfigurationException("%s has @ProcessOnce, but %s.".formatted(method, what), remedy);
		}
	}

	static @Nullable ProcessOnce annotationOf(Method method, Class<?> targetClass) {
		ProcessOnce own = AnnotatedElementUtils.findMergedAnnotation(method, ProcessOnce.class);
		if (own != null) {
			return own;
		}
		return listens(method) ? AnnotatedElementUtils.findMergedAnnotation(targetClass, ProcessOnce.class) : null;
	}

	private static boolean listens(Method method) {
		return listeners(method).findAny().isPresent()
				|| AnnotatedElementUtils.hasAnnotation(method, RabbitHandler.class);
	}

	private static boolean isAsynchronous(Method method, Class<?> targetClass) {
		return isAsynchronous(method.getReturnType()) || KotlinDetector.isSuspendingFunction(method)
				|| AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(targetClass, Async.class);
	}

	private static boolean isApart(Method method, Class<?> targetClass) {
		TransactionAttribute attribute = TRANSACTIONS.getTransactionAttribute(method, targetClass);
		return attribute != null && APART.contains(attribute.getPropagationBehavior());
	}

	/** Whether a result of this type is there before the work is done. */
	static boolean isAsynchronous(Class<?> result) {
		return Future.class.isAssignableFrom(result) || CompletionStage.class.isAssignableFrom(result)
				|| Flow.Publisher.class.isAssignableFrom(result)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null;
	}

	// Who takes a channel does so to acknowledge
	private static boolean acknowledges(Method method, Class<?> targetClass) {
		return Arrays.stream(method.getParameterTypes()).anyMatch(Channel.class::isAssignableFrom)
				|| Stream.concat(listeners(method), listeners(targetClass)).anyMatch(ProcessOnceMethods::isOtherMode);
	}

	// There may be several, each with queues of its own
	private static Stream<RabbitListener> listeners(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
			.stream(RabbitListener.class)
			.map(MergedAnnotation::synthesize);
	}

	private static boolean isOtherMode(RabbitListener listener) {
		return List.of("MANUAL", "NONE").contains(listener.ackMode().toUpperCase(Locale.ROOT));
	}

}
