package io.orderedoutbox.documentation;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

import io.orderedoutbox.documentation.Documents.Block;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who follows the quick start of the README to the letter has an application in which an
 * event arrives.
 */
@ExtendWith(OutputCaptureExtension.class)
class QuickStartTests {

	// That of the YAML
	private static final String PACKAGE = "com.example.shop";

	@TempDir
	Path directory;

	@Test
	void theEventOfTheReadmeArrivesAtItsListener(CapturedOutput output) throws Exception {
		assertThat(Snippets.of("README.md").in(PACKAGE).compile(this.directory)).isEmpty();
		try (URLClassLoader types = new URLClassLoader(new URL[] { this.directory.toUri().toURL() });
				ConfigurableApplicationContext context = start(types)) {
			try {
				UUID order = UUID.randomUUID();
				place(types, context, order);
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.until(() -> output.getOut().contains("The order " + order + " was placed"));
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.until(() -> context.getBean(JdbcClient.class)
						.sql("SELECT COUNT(*) FROM outbox_message")
						.query(Long.class)
						.single() == 0);
			}
			finally {
				AmqpAdmin broker = context.getBean(AmqpAdmin.class);
				broker.deleteQueue("orders");
				broker.deleteExchange("shop");
			}
		}
	}

	// What the README leaves to the reader: main class, repository, and where the servers
	// of the reader are
	private static ConfigurableApplicationContext start(ClassLoader types) throws Exception {
		Class<?> repository = type(types, "OrderRepository");
		Database database = Servers.database().fresh();
		Broker broker = Servers.broker();
		return new SpringApplicationBuilder(Main.class, type(types, "ShopMessaging"), type(types, "OrderListener"),
				type(types, "OrderService"))
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.initializers((context) -> {
				context.getEnvironment().getPropertySources().addLast(yaml());
				((GenericApplicationContext) context).setClassLoader(types);
				context.getBeanFactory()
					.registerSingleton("orderRepository", Proxy.newProxyInstance(types, new Class<?>[] { repository },
							(proxy, method, arguments) -> method.getReturnType().isPrimitive() ? null : "repository"));
			})
			.run("--spring.datasource.url=" + database.jdbcUrl(), "--spring.datasource.username=" + database.username(),
					"--spring.datasource.password=" + database.password(), "--spring.rabbitmq.host=" + broker.host(),
					"--spring.rabbitmq.port=" + broker.port(), "--spring.rabbitmq.username=" + broker.username(),
					"--spring.rabbitmq.password=" + broker.password(), "--spring.main.banner-mode=off",
					"--spring.autoconfigure.exclude=" + OutboxApplication.JPA);
	}

	private static Class<?> type(ClassLoader types, String name) throws ClassNotFoundException {
		return types.loadClass(PACKAGE + "." + name);
	}

	private static PropertySource<?> yaml() {
		Block block = Documents.blocks("yaml")
			.stream()
			.filter((candidate) -> candidate.document().equals("README.md"))
			.findFirst()
			.orElseThrow();
		try {
			return new YamlPropertySourceLoader()
				.load("README", new ByteArrayResource(block.content().getBytes(StandardCharsets.UTF_8)))
				.get(0);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void place(ClassLoader types, ConfigurableApplicationContext context, UUID id) throws Exception {
		Class<?> type = type(types, "Order");
		Constructor<?> order = type.getDeclaredConstructor(UUID.class, BigDecimal.class);
		order.setAccessible(true);
		Class<?> service = type(types, "OrderService");
		Method place = service.getDeclaredMethod("place", type);
		place.setAccessible(true);
		ReflectionUtils.invokeMethod(place, context.getBean(service), order.newInstance(id, BigDecimal.TEN));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Main {

	}

}
