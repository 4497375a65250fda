/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

import com.sun.source.util.JavacTask;
import io.orderedoutbox.documentation.Documents.Block;

/**
 * The Java of a document, as one source file. A block is of one of three kinds, and the
 * first that javac can parse is taken: types, which a reader would put into files of
 * their own; members of a class; or statements of a method, which have the fields of
 * {@code Surroundings}. Blocks may use the types of others on the same page, and need no
 * imports for what is imported here.
 *
 * @param name the package, or empty
 * @param document the document
 * @param blocks its blocks
 */
record Snippets(String name, String document, List<Block> blocks) {

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
			import io.orderedoutbox.relay.batch.*;
			import io.orderedoutbox.send.*;
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
			import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
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
			""";

	// What every snippet may use although no page declares it
	private static final String SURROUNDINGS = """
			record Order(UUID id, BigDecimal total) { }
			interface OrderRepository { void save(Order order); }
			abstract class Surroundings {
				Outbox outbox;
				ApplicationEventPublisher events;
				OutboxAdministration administration;
				JdbcTemplate jdbcTemplate;
			}
			""";

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	// One for all, which has read the class path once; it has that of the tests
	private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, Locale.ENGLISH,
			StandardCharsets.UTF_8);

	private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;$");

	private static final List<String> OPTIONS = List.of("--release", "17", "-proc:none", "-parameters");

	/**
	 * Those of a document.
	 */
	static Snippets of(String document) {
		return new Snippets("", document,
				Documents.blocks("java")
					.stream()
					.filter((block) -> block.document().equals(document))
					.filter((block) -> block.reasonNotToCompile().isEmpty())
					.toList());
	}

	/**
	 * The same in a package, where a reader would have it.
	 */
	Snippets in(String other) {
		return new Snippets(other, this.document, this.blocks);
	}

	/**
	 * Compile them into a directory.
	 * @return what the compiler says, with the lines of the document; nothing if they
	 * compile
	 */
	String compile(Path directory) {
		// The block that a line of the source file belongs to, by the first of them
		TreeMap<Integer, Block> lines = new TreeMap<>();
		String source = source(lines);
		DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
		try {
			FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(directory));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		COMPILER.getTask(null, FILES, messages, OPTIONS, null, List.of(file(source))).call();
		return messages.getDiagnostics()
			.stream()
			.filter((message) -> message.getKind() == Diagnostic.Kind.ERROR)
			.map((message) -> where(lines, (int) message.getLineNumber()) + ": " + message.getMessage(Locale.ENGLISH))
			.collect(Collectors.joining("\n"));
	}

	private String where(TreeMap<Integer, Block> lines, int line) {
		Map.Entry<Integer, Block> block = lines.floorEntry(line);
		return (block != null) ? block.getValue().file() + ":" + (block.getValue().line() + line - block.getKey())
				: this.document + ", in its imports";
	}

	private String source(Map<Integer, Block> lines) {
		Set<String> imports = new LinkedHashSet<>();
		this.blocks.forEach(
				(block) -> IMPORT.matcher(block.content()).results().map(MatchResult::group).forEach(imports::add));
		StringBuilder source = new StringBuilder(this.name.isEmpty() ? "" : "package %s;\n".formatted(this.name));
		source.append(IMPORTS).append(String.join("\n", imports)).append('\n').append(SURROUNDINGS);
		for (Block block : this.blocks) {
			lines.put((int) source.chars().filter((character) -> character == '\n').count() + 1, block);
			source.append(unit(block, lines.size())).append('\n');
		}
		return source.toString();
	}

	// As many lines as the block has, so that the compiler's can be found again
	private static String unit(Block block, int number) {
		String code = IMPORT.matcher(block.content())
			.replaceAll("")
			.replaceAll("(?m)^package .*;$", "")
			.replaceAll("(?m)^public ", "");
		String members = "class Members%d extends Surroundings {%s}".formatted(number, code);
		String statements = "class Statements%d extends Surroundings { void run() throws Exception {%s} }"
			.formatted(number, code);
		return List.of(code, members, statements).stream().filter(Snippets::canBeParsed).findFirst().orElse(code);
	}

	private static boolean canBeParsed(String code) {
		DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
		try {
			((JavacTask) COMPILER.getTask(null, FILES, messages, OPTIONS, null, List.of(file(code)))).parse();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return messages.getDiagnostics().stream().noneMatch((message) -> message.getKind() == Diagnostic.Kind.ERROR);
	}

	private static JavaFileObject file(String source) {
		return new SimpleJavaFileObject(URI.create("string:///Snippets.java"), JavaFileObject.Kind.SOURCE) {

			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return source;
			}

		};
	}

}
