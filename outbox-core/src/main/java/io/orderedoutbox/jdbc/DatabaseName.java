package io.orderedoutbox.jdbc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.BeansException;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * How errors call a database: by its JDBC URL as far as the name of the schema, and by
 * the user.
 * <p>
 * A URL can contain a password in many places. So only what looks like hosts, ports and a
 * name is taken out of it, and of any other URL no more than its beginning.
 */
final class DatabaseName {

	private static final Logger logger = LoggerFactory.getLogger(DatabaseName.class);

	private static final Pattern URL = Pattern.compile(
			"(jdbc:[a-z0-9:+-]+//)(?:[^/@]+@)?([\\w.:,\\[\\]-]+/[\\w$-]*)(?:[?;][^@]*)?", Pattern.CASE_INSENSITIVE);

	private static final Pattern BEGINNING = Pattern.compile("jdbc:[a-z0-9+-]+", Pattern.CASE_INSENSITIVE);

	private static final Pattern PASSWORD = Pattern.compile("(password\\w*\\s*=\\s*)[^&;,)\\s'\"]+|(//)\\S*@",
			Pattern.CASE_INSENSITIVE);

	private DatabaseName() {
	}

	static String of(DataSource dataSource) {
		DataSource target = dataSource;
		while (target instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null) {
			target = delegating.getTargetDataSource();
		}
		BeanWrapper bean = new BeanWrapperImpl(target);
		String url = first(bean, "jdbcUrl", "url");
		String user = first(bean, "username", "user");
		String name = (url != null) ? ofUrl(url) : "of " + target.getClass().getSimpleName();
		return (user != null) ? "%s (user '%s')".formatted(name, user) : name;
	}

	static String ofUrl(String url) {
		Matcher whole = URL.matcher(url);
		if (whole.matches()) {
			return whole.group(1) + whole.group(2);
		}
		Matcher beginning = BEGINNING.matcher(url);
		return beginning.lookingAt() ? beginning.group() + ":..." : "with a URL that is none of JDBC";
	}

	/**
	 * The text of an error that may quote a URL.
	 */
	static String withoutPassword(String text) {
		return PASSWORD.matcher(text)
			.replaceAll((match) -> Matcher
				.quoteReplacement(((match.group(1) != null) ? match.group(1) + "***" : "//***@")));
	}

	private static @Nullable String first(BeanWrapper bean, String... properties) {
		return Stream.of(properties)
			.filter(bean::isReadableProperty)
			.map((property) -> value(bean, property))
			.filter((value) -> value != null && !value.isEmpty())
			.findFirst()
			.orElse(null);
	}

	private static @Nullable String value(BeanWrapper bean, String property) {
		try {
			return (bean.getPropertyValue(property) instanceof String value) ? value : null;
		}
		catch (BeansException ex) {
			logger.debug("A DataSource does not tell its {}", property, ex);
			return null;
		}
	}

}
