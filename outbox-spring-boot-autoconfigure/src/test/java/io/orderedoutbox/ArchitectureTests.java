/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AnnotationUtils;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.notBePublic;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the code has promised about itself: where its arrows point, who knows what, and
 * the rules that Spring Boot keeps for auto-configuration.
 */
@Tag("unit")
class ArchitectureTests {

	private static final String ROOT = "io.orderedoutbox";

	private static final JavaClasses CODE = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.withImportOption((location) -> !location.contains("outbox-test-servers"))
		.importPackages(ROOT);

	@Test
	void theCodeIsThere() {
		assertThat(CODE).hasSizeGreaterThan(60);
		assertThat(Stream
			.of("", ".admin", ".publish", ".publish.key", ".store", ".jdbc", ".jdbc.dialect", ".jdbc.connection",
					".jdbc.claim", ".jdbc.admin", ".jdbc.backlog", ".jdbc.retention", ".relay", ".relay.batch", ".send",
					".rabbit", ".autoconfigure", ".autoconfigure.named")
			.map(ROOT::concat)).allMatch(CODE::containPackage);
	}

	// Where the arrows point

	@Test
	void packagesHaveNoCycles() {
		check(SlicesRuleDefinition.slices().matching("(**)").should().beFreeOfCycles());
	}

	@ParameterizedTest
	@CsvSource({ "'', ''", "admin, payload", "payload, ''", "store, ''", "schema, ''", "send, store", "transaction, ''",
			"jdbc.dialect, ''", "jdbc.connection, 'jdbc.dialect,transaction'",
			"jdbc, 'admin,jdbc.connection,jdbc.dialect,store,schema,transaction'",
			"jdbc.claim, 'jdbc,jdbc.connection,jdbc.dialect,store'", "jdbc.backlog, 'admin,jdbc,jdbc.dialect,store'",
			"jdbc.retention, 'admin,jdbc,jdbc.dialect'", "jdbc.admin, 'admin,jdbc,jdbc.backlog,jdbc.dialect,store'",
			"publish.key, ''", "publish, 'payload,publish.key,store'", "relay.batch, 'payload,send,store'",
			"relay, 'relay.batch,send,store'", "relay.payload, 'payload,send,store'", "relay.recovery, store",
			"rabbit, 'publish,send,store'", "kafka, 'publish,send,store'", "listen, 'payload,send,store'",
			"routing, 'relay.batch,send,store'", "inbox, 'inbox.message,schema,transaction'", "inbox.message, payload",
			"inbox.shard, inbox", "inbox.listener, 'inbox,inbox.message,inbox.shard,transaction'",
			"inbox.monitor, 'inbox,inbox.shard,inbox.listener'", "monitor, 'admin,store,relay,relay.batch,send,jdbc'",
			"monitor.console, 'admin,payload,relay,send,jdbc,monitor'", "once, 'relay,send'",
			"observation, 'publish,send,store'", "terminal, 'relay,relay.batch,send,store'" })
	void arrowsPointTowardTheRoot(String from, String to) {
		String[] allowed = Stream.concat(Stream.of("", from), Stream.of(to.split(",")))
			.distinct()
			.map(ArchitectureTests::packageOf)
			.toArray(String[]::new);
		check(noClasses().that()
			.resideInAPackage(packageOf(from))
			.should()
			.dependOnClassesThat(resideInAPackage(ROOT + "..").and(DescribedPredicate.not(resideInAnyPackage(allowed))))
			.allowEmptyShould(true));
	}

	@Test
	void onlyWiringKnowsWhichDatabaseThereIs() {
		check(noClasses().that()
			.resideOutsideOfPackages(packageOf("jdbc.."), packageOf("autoconfigure.."))
			.should()
			.dependOnClassesThat(resideInAPackage(packageOf("jdbc..")).and(DescribedPredicate.not(DescribedPredicate
				.describe("are tables that may be missing", ArchitectureTests::isOptionalTable)))));
	}

	@Test
	void onlyTheMonitorReadsTablesThatMayBeMissing() {
		check(noClasses().that()
			.resideOutsideOfPackages(packageOf("jdbc.."), packageOf("autoconfigure.."), packageOf("monitor.."))
			.should()
			.dependOnClassesThat()
			.resideInAPackage(packageOf("jdbc..")));
	}

	private static boolean isOptionalTable(JavaClass type) {
		JavaClass outermost = type.getEnclosingClass().orElse(type);
		return Set
			.of("InstanceDifferences", "JdbcArchive", "JdbcInstances", "OutboxInstance", "JdbcPause", "JdbcThroughput",
					"JdbcWorkerRegistry")
			.contains(outermost.getSimpleName());
	}

	@ParameterizedTest
	@ValueSource(strings = { "autoconfigure", "inbox", "inbox.monitor", "kafka", "listen", "monitor", "monitor.console",
			"observation", "once", "terminal" })
	void nobodyDependsOnWhatCanBeDeleted(String deletable) {
		check(noClasses().that()
			.resideOutsideOfPackages(packageOf(deletable) + "..", packageOf("autoconfigure.."))
			.should()
			.dependOnClassesThat()
			.resideInAPackage(packageOf(deletable) + ".."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "inbox", "inbox.monitor", "kafka", "listen", "monitor", "monitor.console", "observation",
			"once", "terminal" })
	void onlyWiringThatCanBeDeletedWithItKnowsAFeature(String deletable) {
		check(noClasses().that()
			.resideInAPackage(packageOf("autoconfigure.."))
			.and(DescribedPredicate.describe("wire more than " + deletable, (type) -> !isWiringOf(deletable, type)))
			.should()
			.dependOnClassesThat()
			.resideInAPackage(packageOf(deletable) + ".."));
	}

	// Itself, and nothing that it stands on, is gone with the package
	private static boolean isWiringOf(String deletable, JavaClass type) {
		JavaClass outermost = type.getEnclosingClass().orElse(type);
		boolean needed = outermost.getDirectDependenciesToSelf()
			.stream()
			.map((dependency) -> dependency.getOriginClass())
			.anyMatch((origin) -> !origin.equals(outermost) && !isWiring(deletable, origin));
		return isWiring(deletable, outermost) && !needed;
	}

	private static boolean isWiring(String deletable, JavaClass type) {
		JavaClass outermost = type.getEnclosingClass().orElse(type);
		boolean wires = outermost.isAnnotatedWith(AutoConfiguration.class)
				|| outermost.isAnnotatedWith(ConfigurationProperties.class);
		return wires && outermost.getDirectDependenciesFromSelf()
			.stream()
			.anyMatch((dependency) -> (dependency.getTargetClass().getPackageName() + ".")
				.startsWith(packageOf(deletable) + "."));
	}

	@Test
	void nothingKnowsWhatMakesOutboxesWithNames() {
		check(noClasses().that()
			.resideOutsideOfPackage(packageOf("autoconfigure.named"))
			.should()
			.dependOnClassesThat()
			.resideInAPackage(packageOf("autoconfigure.named")));
	}

	// Who knows what

	@Test
	void theApiNeedsNothingButTheEnvelopeSpring() {
		check(classes().that()
			.resideInAPackage(ROOT)
			.and()
			.doNotHaveSimpleName("OutboxEnvelope")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage(ROOT, "java..", "org.jspecify.."));
	}

	@Test
	void theCoreWorksWithoutSpringBoot() {
		check(noClasses().that()
			.resideInAnyPackage(Stream
				.of("", "admin", "payload", "publish..", "store", "jdbc..", "relay..", "send", "rabbit", "kafka",
						"listen", "routing")
				.map(ArchitectureTests::packageOf)
				.toArray(String[]::new))
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework.boot.."));
	}

	@Test
	void theRelayKnowsNeitherSqlNorAmqp() {
		check(noClasses().that()
			.resideInAnyPackage(packageOf("relay.."), packageOf("send"))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("java.sql..", "javax.sql..", "org.springframework.jdbc..", "org.springframework.amqp..",
					"com.rabbitmq..", "org.springframework.kafka..", "org.apache.kafka.."));
	}

	@Test
	void theStoreIsAnInterfaceThatKnowsNoDatabase() {
		check(noClasses().that()
			.resideInAPackage(packageOf("store"))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("java.sql..", "javax.sql..", "org.springframework.jdbc..", "org.springframework.dao..",
					"org.springframework.transaction..", "com.mysql.."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "store", "jdbc.." })
	void theStoreKnowsNoThreads(String from) {
		check(noClasses().that()
			.resideInAPackage(packageOf(from))
			.should()
			.dependOnClassesThat(assignableTo(Thread.class).or(assignableTo(java.util.concurrent.Executor.class))
				.or(resideInAPackage("org.springframework.scheduling.."))));
	}

	@ParameterizedTest
	@ValueSource(strings = { "rabbit", "kafka", "listen", "routing" })
	void aSenderKnowsNoTable(String sender) {
		check(noClasses().that()
			.resideInAPackage(packageOf(sender))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("java.sql..", "javax.sql..", "org.springframework.jdbc..",
					"org.springframework.dao.."));
	}

	@Test
	void onlyRabbitTheInboxAndTheirWiringKnowAmqp() {
		check(noClasses().that()
			.resideOutsideOfPackages(packageOf("rabbit"), packageOf("inbox"), packageOf("inbox.message"),
					packageOf("inbox.shard"), packageOf("inbox.listener"), packageOf("autoconfigure.."))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.amqp..", "com.rabbitmq.."));
	}

	@Test
	void onlyItsPackageAndItsWiringKnowKafka() {
		check(noClasses().that()
			.resideOutsideOfPackages(packageOf("kafka"), packageOf("autoconfigure.."), packageOf("chaos.."))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.kafka..", "org.apache.kafka.."));
	}

	@Test
	void runtimeTypesAreApartFromWiring() {
		check(noClasses().that()
			.resideOutsideOfPackage(packageOf("autoconfigure.."))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot..autoconfigure..", "org.springframework.context.annotation..",
					"org.springframework.beans.factory.annotation.."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "store", "jdbc..", "relay..", "publish.." })
	void timeIsTheDatabasesOrMonotonic(String from) {
		check(noClasses().that()
			.resideInAPackage(packageOf(from))
			.should()
			.callMethod(System.class, "currentTimeMillis")
			.orShould()
			.callConstructor(Date.class)
			.orShould()
			.callMethodWhere(DescribedPredicate.describe("java.time's now()",
					(call) -> call.getTarget().getName().equals("now")
							&& call.getTargetOwner().getPackageName().equals("java.time")))
			.orShould()
			.dependOnClassesThat()
			.areAssignableTo(java.time.Clock.class));
	}

	@Test
	void nobodySleeps() {
		check(noClasses().should()
			.callMethodWhere(
					DescribedPredicate.describe("sleep()", (call) -> call.getTarget().getName().equals("sleep"))));
	}

	@Test
	void nobodyWritesToTheConsole() {
		check(com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS);
	}

	// Shape

	@Test
	void everyPackageIsNullMarked() {
		List<String> packages = CODE.stream().map(JavaClass::getPackageName).distinct().toList();
		assertThat(packages).allSatisfy(
				(name) -> assertThat(CODE.getPackage(name).isAnnotatedWith(NullMarked.class)).as(name).isTrue());
	}

	@Test
	void namesSayWhatDistinguishes() {
		check(noClasses().should().haveNameMatching(".*(Manager|Helper|Utils?|Impl|Base)"));
	}

	@Test
	void constructorsHaveAtMostSixParameters() {
		check(constructors().that()
			.areDeclaredInClassesThat(DescribedPredicate.describe("are no records", (type) -> !type.isRecord()))
			.should(new ArchCondition<JavaConstructor>("have at most six parameters") {

				@Override
				public void check(JavaConstructor constructor, ConditionEvents events) {
					events.add(new SimpleConditionEvent(constructor, constructor.getRawParameterTypes().size() <= 6,
							constructor.getDescription()));
				}

			}));
	}

	// Boot's rules

	@Test
	void autoConfigurationsAreFinalAndShowNothing() {
		check(classes().that()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePublic()
			.andShould()
			.haveModifier(JavaModifier.FINAL)
			.andShould()
			.haveSimpleNameEndingWith("AutoConfiguration"));
		check(methods().that()
			.areDeclaredInClassesThat()
			.areAnnotatedWith(AutoConfiguration.class)
			.should(notBePublic()));
	}

	@Test
	void autoConfigurationsAreListed() {
		List<String> listed = org.springframework.boot.context.annotation.ImportCandidates
			.load(AutoConfiguration.class, getClass().getClassLoader())
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith(ROOT))
			.toList();
		assertThat(listed).isSorted()
			.containsExactlyInAnyOrderElementsOf(CODE.stream()
				.filter((type) -> type.isAnnotatedWith(AutoConfiguration.class))
				.map(JavaClass::getName)
				.toList());
	}

	// It has moved with Spring Boot 4.2
	@Test
	void whatNamesTheAutoConfigurationOfRabbitNamesItAsEachSpringBootDoes() {
		Map<String, List<String>> named = CODE.stream()
			.filter((type) -> type.isAnnotatedWith(AutoConfiguration.class))
			.collect(Collectors.toMap(JavaClass::getName, ArchitectureTests::rabbitAutoConfigurationsIn));
		named.values().removeIf(List::isEmpty);
		assertThat(named).hasSizeGreaterThan(1)
			.allSatisfy((type, names) -> assertThat(names).as(type)
				.containsExactlyInAnyOrder("org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
						"org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration"));
	}

	private static List<String> rabbitAutoConfigurationsIn(JavaClass type) {
		AutoConfiguration annotation = type.getAnnotationOfType(AutoConfiguration.class);
		return Stream.of(annotation.afterName(), annotation.beforeName())
			.flatMap(Stream::of)
			.filter((name) -> name.endsWith(".RabbitAutoConfiguration"))
			.toList();
	}

	@Test
	void beanMethodsAreWiringOnly() {
		check(methods().that()
			.areAnnotatedWith(Bean.class)
			.should()
			.bePackagePrivate()
			.andShould()
			.notBeAnnotatedWith(ConditionalOnClass.class));
		check(methods().that()
			.areAnnotatedWith(Bean.class)
			.should()
			.beDeclaredInClassesThat()
			.resideInAPackage(packageOf("autoconfigure..")));
	}

	@Test
	void beanPostProcessorsAreStatic() {
		check(methods().that()
			.areAnnotatedWith(Bean.class)
			.and()
			.haveRawReturnType(assignableTo(BeanPostProcessor.class))
			.should()
			.beStatic());
	}

	@Test
	void conditionsOnMissingBeansDoNotRepeatTheReturnType() {
		check(methods().that()
			.areAnnotatedWith(ConditionalOnMissingBean.class)
			.should(new ArchCondition<JavaMethod>("not repeat the return type") {

				@Override
				public void check(JavaMethod method, ConditionEvents events) {
					ConditionalOnMissingBean condition = method.getAnnotationOfType(ConditionalOnMissingBean.class);
					boolean repeats = condition.value().length == 1
							&& condition.value()[0].getName().equals(method.getRawReturnType().getName());
					events.add(new SimpleConditionEvent(method, !repeats, method.getDescription()));
				}

			}));
	}

	@Test
	void failureAnalyzersAreNotPublic() {
		check(classes().that().areAssignableTo(FailureAnalyzer.class).should().notBePublic());
	}

	@Test
	void conditionsThatOtherPackagesNameAreInOneOfTheirOwn() {
		check(classes().that()
			.areAssignableTo(SpringBootCondition.class)
			.and()
			.resideOutsideOfPackage(packageOf("autoconfigure.condition"))
			.should()
			.notBePublic());
	}

	@Test
	void propertiesNameTheirPrefixOnce() {
		assertThat(CODE.stream().filter((type) -> type.isAnnotatedWith(ConfigurationProperties.class))).isNotEmpty()
			.allSatisfy((type) -> {
				ConfigurationProperties annotation = AnnotationUtils.getAnnotation(type.reflect(),
						ConfigurationProperties.class);
				assertThat(type.getAnnotationOfType(ConfigurationProperties.class).prefix()).as(type.getName())
					.isEmpty();
				assertThat(annotation).isNotNull();
				assertThat(annotation.prefix()).startsWith("outbox");
				assertThat(type.getSimpleName()).endsWith("Properties");
			});
	}

	private static String packageOf(String name) {
		return name.isEmpty() ? ROOT : ROOT + "." + name;
	}

	private static void check(ArchRule rule) {
		rule.check(CODE);
	}

}
