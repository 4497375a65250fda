package io.orderedoutbox.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Properties with the values that are in effect, by the names under which they are
 * documented. None of them is a secret.
 */
final class EffectiveConfiguration {

	private final Map<String, String> values = new TreeMap<>();

	private EffectiveConfiguration() {
	}

	static Map<String, String> of(OutboxProperties properties, OutboxJdbcProperties jdbc, Record monitor,
			@Nullable Record health, @Nullable Record archive) {
		EffectiveConfiguration configuration = new EffectiveConfiguration();
		configuration.put("outbox", properties);
		configuration.put("outbox.monitor", monitor);
		configuration.put("outbox.health", health);
		configuration.put("outbox.archive", archive);
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
		return (value instanceof Enum<?> constant) ? constant.name().toLowerCase(Locale.ROOT).replace('_', '-')
				: String.valueOf(value);
	}

}
