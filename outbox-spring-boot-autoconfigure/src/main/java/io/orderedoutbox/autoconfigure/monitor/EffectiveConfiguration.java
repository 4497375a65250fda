/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxJdbcProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Properties with the values that are in effect, by the names under which they are
 * documented. None of them is a secret.
 */
public final class EffectiveConfiguration {

	private static final String OURS = EachOutbox.class.getPackageName() + ".";

	private final Map<String, String> values = new TreeMap<>();

	private EffectiveConfiguration() {
	}

	/**
	 * Those of the parts that are there.
	 * @param beans where the properties of parts are
	 */
	public static Map<String, String> of(ListableBeanFactory beans, OutboxJdbcProperties jdbc) {
		EffectiveConfiguration configuration = new EffectiveConfiguration();
		for (String name : beans.getBeanNamesForAnnotation(ConfigurationProperties.class)) {
			Class<?> type = beans.getType(name);
			if (type != null && shows(type)) {
				configuration.put(type.getAnnotation(ConfigurationProperties.class).value(), beans.getBean(name));
			}
		}
		configuration.put("outbox.jdbc.table-prefix", jdbc.getTablePrefix());
		configuration.put("outbox.jdbc.prepare-on-server", jdbc.isPrepareOnServer());
		configuration.put("outbox.jdbc.verify-transaction", jdbc.isVerifyTransaction());
		configuration.put("outbox.jdbc.accept-routing", jdbc.isAcceptRouting());
		configuration.put("outbox.jdbc.initialize-schema", jdbc.getInitializeSchema());
		configuration.put("outbox.jdbc.schema", jdbc.getSchema());
		configuration.put("outbox.jdbc.platform", jdbc.getPlatform());
		configuration.put("outbox.jdbc.continue-on-error", jdbc.isContinueOnError());
		return configuration.values;
	}

	/**
	 * Whether a bean with properties is one of those that are shown, apart from those of
	 * the tables.
	 */
	static boolean shows(Class<?> type) {
		return type.isRecord() && (type.getPackageName() + ".").startsWith(OURS);
	}

	/**
	 * Those of some records.
	 * @param properties records with {@link ConfigurationProperties}
	 */
	public static Map<String, String> of(Record... properties) {
		EffectiveConfiguration configuration = new EffectiveConfiguration();
		for (Record bound : properties) {
			configuration.put(bound.getClass().getAnnotation(ConfigurationProperties.class).value(), bound);
		}
		return configuration.values;
	}

	private void put(String name, @Nullable Object value) {
		if (value instanceof Record group) {
			for (RecordComponent component : group.getClass().getRecordComponents()) {
				put(name + "." + DataObjectPropertyName.toDashedForm(component.getName()),
						ReflectionUtils.invokeMethod(component.getAccessor(), group));
			}
		}
		else if (value instanceof Map<?, ?> map) {
			map.forEach((key, element) -> put("%s[%s]".formatted(name, key), element));
		}
		else if (value instanceof Collection<?> list) {
			this.values.put(name, StringUtils.collectionToCommaDelimitedString(list));
		}
		else if (value != null) {
			this.values.put(name, text(value));
		}
	}

	private static String text(Object value) {
		if (value instanceof Duration duration) {
			return DurationFormatterUtils.print(duration, Style.COMPOSITE);
		}
		if (value instanceof Class<?> type) {
			return type.getName();
		}
		return (value instanceof Enum<?> constant) ? constant.name().toLowerCase(Locale.ROOT).replace('_', '-')
				: String.valueOf(value);
	}

}
