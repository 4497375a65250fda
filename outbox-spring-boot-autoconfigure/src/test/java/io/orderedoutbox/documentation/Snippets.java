package io.orderedoutbox.documentation;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The Java of a document, as one source file: types that a reader would put into files of
 * their own.
 *
 * @param source the file
 */
record Snippets(String source) {

	private static final String IMPORTS = """
			import io.cloudevents.CloudEvent;
			import io.orderedoutbox.*;
			import io.orderedoutbox.admin.*;
			import io.orderedoutbox.autoconfigure.OutboxDataSource;
			import io.orderedoutbox.autoconfigure.OutboxRelayDataSource;
			import com.google.protobuf.MessageLite;
			import io.orderedoutbox.contract.*;
			import io.orderedoutbox.inbox.*;
			import io.orderedoutbox.kafka.*;
			import io.orderedoutbox.listen.*;
			import io.orderedoutbox.jdbc.Partitions;
			import io.orderedoutbox.payload.*;
			import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
			import io.orderedoutbox.jdbc.*;
			import io.orderedoutbox.jdbc.claim.*;
			import io.orderedoutbox.publish.*;
			import io.orderedoutbox.rabbit.*;
			import io.orderedoutbox.relay.*;
			import io.orderedoutbox.store.*;
			import java.io.IOException;
			import java.io.Writer;
			import java.math.BigDecimal;
			import java.nio.ByteBuffer;
			import java.nio.charset.StandardCharsets;
			import java.nio.file.Files;
			import java.nio.file.NoSuchFileException;
			import java.nio.file.Path;
			import java.nio.file.StandardOpenOption;
			import java.sql.Types;
			import java.time.Duration;
			import java.time.Instant;
			import java.util.*;
			import java.util.concurrent.*;
			import java.util.function.Consumer;
			import javax.crypto.SecretKey;
			import javax.crypto.spec.SecretKeySpec;
			import javax.sql.DataSource;
			import org.jspecify.annotations.Nullable;
			import org.springframework.amqp.core.Binding;
			import org.springframework.amqp.core.BindingBuilder;
			import org.springframework.amqp.core.Declarables;
			import org.springframework.amqp.core.Queue;
			import org.springframework.amqp.core.QueueBuilder;
			import org.springframework.amqp.core.TopicExchange;
			import org.springframework.amqp.rabbit.annotation.RabbitHandler;
			import org.springframework.amqp.rabbit.annotation.RabbitListener;
			import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
			import org.springframework.amqp.rabbit.core.RabbitTemplate;
			import org.springframework.beans.factory.annotation.Qualifier;
			import org.springframework.boot.jdbc.DataSourceBuilder;
			import org.springframework.context.ApplicationEventPublisher;
			import org.springframework.context.annotation.*;
			import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
			import org.springframework.jdbc.core.simple.JdbcClient;
			import org.springframework.security.crypto.encrypt.AesGcmBytesEncryptor;
			import org.springframework.security.crypto.encrypt.BytesEncryptor;
			import org.springframework.jdbc.core.JdbcTemplate;
			import org.springframework.jdbc.datasource.embedded.*;
			import org.springframework.jdbc.support.JdbcTransactionManager;
			import org.springframework.stereotype.*;
			import org.springframework.transaction.PlatformTransactionManager;
			import org.springframework.transaction.annotation.*;
			import org.springframework.util.unit.DataSize;
			import tools.jackson.databind.json.JsonMapper;

			record Order(UUID id, BigDecimal total) { }
			interface OrderRepository { void save(Order order); }
			""";

	/**
	 * Those of a document. A block may be a whole file, with its package and its imports.
	 */
	static Snippets of(String document) {
		List<String> lines = Documents.blocks("java")
			.stream()
			.filter((block) -> block.document().equals(document))
			.flatMap((block) -> block.content().lines())
			.filter((line) -> !line.startsWith("package "))
			.toList();
		String imports = lines.stream().filter(Snippets::isImport).collect(Collectors.joining("\n", "", "\n"));
		String types = lines.stream()
			.filter((line) -> !isImport(line))
			.map((line) -> line.replaceFirst("^public ", ""))
			.collect(Collectors.joining("\n"));
		return new Snippets(imports + IMPORTS + types);
	}

	private static boolean isImport(String line) {
		return line.startsWith("import ");
	}

	/**
	 * The same in a package, where a reader would have it.
	 */
	Snippets in(String name) {
		return new Snippets("package %s;%n%s".formatted(name, this.source));
	}

	/**
	 * Compile them into a directory.
	 * @return what the compiler says, nothing if they compile
	 */
	String compile(Path directory) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		StringWriter messages = new StringWriter();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
			boolean compiles = compiler.getTask(messages, files, null, List.of("-proc:none", "-parameters", "-d",
					directory.toString(), "-cp", System.getProperty("java.class.path")), null, List.of(file()))
				.call();
			return compiles ? "" : "It does not compile: " + messages;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private JavaFileObject file() {
		return new SimpleJavaFileObject(URI.create("string:///Snippets.java"), JavaFileObject.Kind.SOURCE) {

			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return Snippets.this.source;
			}

		};
	}

}
