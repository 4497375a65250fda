package io.orderedoutbox.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/**
 * Beans of the application that an outbox with a name works with. They are handed to its
 * context as they are: that context neither initializes nor destroys them.
 * <p>
 * Of a type, an outbox gets the beans that are qualified with its name, or that have it
 * as their own name. If there are none, it gets those of the application that have no
 * qualifier, and none of the library: these are parts of the outbox without a name.
 */
final class Collaborators {

	private static final String OURS = "ordered";

	private final String outbox;

	private final ConfigurableListableBeanFactory application;

	private final ConfigurableListableBeanFactory target;

	Collaborators(String outbox, ConfigurableListableBeanFactory application, ConfigurableListableBeanFactory target) {
		this.outbox = outbox;
		this.application = application;
		this.target = target;
	}

	String outbox() {
		return this.outbox;
	}

	/**
	 * Hand over one bean of each of some types that may serve several outboxes: if there
	 * are more, the primary one.
	 */
	void share(Class<?>... types) {
		for (Class<?> type : types) {
			List<String> names = names(type);
			Object primary = (names.size() > 1) ? this.application.getBeanProvider(type).getIfUnique() : null;
			names.stream()
				.filter((name) -> primary == null || this.application.getBean(name) == primary)
				.forEach((name) -> give(name, this.application.getBean(name)));
		}
	}

	/**
	 * Hand over all beans of types that may serve several outboxes.
	 */
	void shareAll(Class<?>... types) {
		for (Class<?> type : types) {
			names(type).forEach((name) -> give(name, this.application.getBean(name)));
		}
	}

	/**
	 * Hand over the beans of types of which each outbox needs one of its own.
	 */
	void own(Class<?>... types) {
		for (Class<?> type : types) {
			qualified(type).forEach((name) -> give(name, this.application.getBean(name)));
		}
	}

	/**
	 * Hand over something as a bean of some name.
	 */
	void give(String name, Object bean) {
		if (!this.target.containsSingleton(name)) {
			this.target.registerSingleton(name, bean);
		}
	}

	/**
	 * Return the bean that a property names, or else the one that is qualified;
	 * {@code null} if there is none of these.
	 * @param property the name of the bean, if it is set
	 * @throws OutboxConfigurationException if it is not there, or if two are qualified
	 */
	<T> @Nullable T choose(Class<T> type, String property, @Nullable String name) {
		if (name != null) {
			return bean(type, property, name);
		}
		List<String> qualified = qualified(type);
		if (qualified.size() > 1) {
			throw new OutboxConfigurationException(
					"The outbox '%s' needs one %s, but its name qualifies %d: %s.".formatted(this.outbox,
							type.getSimpleName(), qualified.size(), String.join(", ", qualified)),
					"Name one of them with outbox.named.%s.%s.".formatted(this.outbox, property));
		}
		if (!qualified.isEmpty()) {
			return this.application.getBean(qualified.get(0), type);
		}
		return null;
	}

	/**
	 * Return the bean that a property names.
	 * @throws OutboxConfigurationException if there is no such bean of the type
	 */
	<T> T bean(Class<T> type, String property, String name) {
		String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.application, type);
		if (!List.of(names).contains(name)) {
			throw new OutboxConfigurationException(
					"The outbox '%s' needs the %s '%s', but there are only these: %s.".formatted(this.outbox,
							type.getSimpleName(), name, String.join(", ", names)),
					"Correct outbox.named.%s.%s, or declare a bean of that name.".formatted(this.outbox, property));
		}
		return this.application.getBean(name, type);
	}

	private List<String> names(Class<?> type) {
		List<String> qualified = qualified(type);
		return !qualified.isEmpty() ? qualified
				: Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.application, type))
					.filter((name) -> !name.startsWith(OURS) && isDefaultCandidate(name))
					.toList();
	}

	private List<String> qualified(Class<?> type) {
		return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.application, type))
			.filter((name) -> BeanFactoryAnnotationUtils.isQualifierMatch(this.outbox::equals, name, this.application))
			.toList();
	}

	private boolean isDefaultCandidate(String name) {
		if (!this.application.containsBeanDefinition(name)) {
			return true;
		}
		BeanDefinition definition = this.application.getMergedBeanDefinition(name);
		return definition.isAutowireCandidate()
				&& (!(definition instanceof AbstractBeanDefinition bean) || bean.isDefaultCandidate());
	}

}
