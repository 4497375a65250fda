package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Warns of properties below {@code outbox.} that nothing reads, such as misspelt ones,
 * and refuses routes whose message name has dots and no brackets: Spring Boot would bind
 * a route of another name, and the message would go elsewhere.
 * <p>
 * Variables of the environment are not looked at: their names do not show where a word
 * ends, and many have nothing to do with the application.
 */
final class UnknownPropertyCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnknownPropertyCheck.class);

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("outbox");

	private static final ConfigurationPropertyName ROUTES = ConfigurationPropertyName.of("outbox.rabbit.routes");

	// The name of the message, and a property of its route
	private static final int ELEMENTS_OF_ROUTE = ROUTES.getNumberOfElements() + 2;

	private final Environment environment;

	private final KnownProperties known;

	UnknownPropertyCheck(Environment environment, KnownProperties known) {
		this.environment = environment;
		this.known = known;
	}

	@Override
	public void afterSingletonsInstantiated() {
		// An application without the metadata, such as a native image, says nothing wrong
		if (!this.known.isEmpty()) {
			ConfigurationPropertySources.get(this.environment).forEach(this::check);
		}
	}

	private void check(ConfigurationPropertySource source) {
		if (source instanceof IterableConfigurationPropertySource iterable
				&& !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
			iterable.stream()
				.filter(PREFIX::isAncestorOf)
				.forEach((name) -> check(name, source.getConfigurationProperty(name)));
		}
	}

	private void check(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
		if (ROUTES.isAncestorOf(name) && name.getNumberOfElements() > ELEMENTS_OF_ROUTE) {
			throw dotted(name);
		}
		if (!this.known.contain(name)) {
			Origin origin = (property != null) ? property.getOrigin() : null;
			logger.atWarn()
				.addKeyValue("property", name)
				.log("Nothing reads the property '{}' ({}). {}", name, (origin != null) ? origin : "of unknown origin",
						advice(name));
		}
	}

	private String advice(ConfigurationPropertyName name) {
		ConfigurationPropertyName nearest = this.known.nearest(name);
		return (nearest != null) ? "Was '%s' meant?".formatted(nearest)
				: "All properties are in docs/properties.md; one of the application's own needs another prefix";
	}

	private static OutboxConfigurationException dotted(ConfigurationPropertyName name) {
		int last = name.getNumberOfElements() - 1;
		StringBuilder message = new StringBuilder();
		for (int i = ROUTES.getNumberOfElements(); i < last; i++) {
			message.append(message.isEmpty() ? "" : ".").append(name.getElement(i, Form.ORIGINAL));
		}
		return new OutboxConfigurationException(
				"The property '%s' is no route: the name of a message with dots needs brackets.".formatted(name),
				"Write %s[%s].%s, and in YAML the name as \"[%s]\".".formatted(ROUTES, message,
						name.getElement(last, Form.ORIGINAL), message));
	}

}
