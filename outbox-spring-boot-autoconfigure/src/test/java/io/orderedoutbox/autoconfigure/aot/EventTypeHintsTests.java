/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.aot;

import java.io.IOException;
import java.util.UUID;

import io.orderedoutbox.autoconfigure.aot.shop.Shop;
import io.orderedoutbox.testing.OrderPlaced;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventTypeHints}.
 */
@Tag("unit")
class EventTypeHintsTests {

	private final InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();

	@Test
	void imagesSeeTheEventsOfTheApplicationAndAllThatTheyHold() throws ReflectiveOperationException {
		RuntimeHints hints = process();
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Shop.Placed.class.getMethod("orderId")))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(Shop.Placed.class.getDeclaredField("lines")))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Shop.Line.class.getMethod("product")))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(Shop.OrderId.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(UUID.class)).accepts(hints);
	}

	@Test
	void imagesSeeWhereTheKeyIsInherited() throws ReflectiveOperationException {
		RuntimeHints hints = process();
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Shop.Renamed.class.getMethod("orderId")))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(Shop.Changed.class)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(Shop.MovedAway.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(Shop.Moved.class.getDeclaredField("orderId")))
			.accepts(hints);
	}

	@Test
	void imagesSeeNoOtherClassesOfTheApplication() {
		assertThat(RuntimeHintsPredicates.reflection().onType(Shop.Unrelated.class)).rejects(process());
	}

	@Test
	void imagesSeeTheListenersInTheApplicationAndWhatTheyTake() throws ReflectiveOperationException {
		RuntimeHints hints = process();
		Class<?> warehouse = Class.forName(Shop.class.getName() + "$Warehouse");
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(warehouse.getDeclaredMethods()[0]))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Shop.Delivered.class.getMethod("address")))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Shop.Address.class.getMethod("street")))
			.accepts(hints);
	}

	@Test
	void imagesSeeTheClassesThatListenersGetByTheNamesOfMessages() throws ReflectiveOperationException {
		RuntimeHints hints = process("outbox.inbox.types[parcel.lost]=" + Shop.Unrelated.class.getName());
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Shop.Unrelated.class.getMethod("text")))
			.accepts(hints);
	}

	@Test
	void imagesKnowWhatIsInAPackageThatTheyCannotSearch() throws IOException {
		String name = OrderPlaced.class.getPackageName();
		RuntimeHints hints = process("outbox.inbox.type-packages=" + name);
		String list = EventTypes.list(name);
		assertThat(RuntimeHintsPredicates.resource().forResource(list)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(OrderPlaced.class)).accepts(hints);
		assertThat(this.files.getGeneratedFileContent(Kind.RESOURCE, list).lines())
			.contains(OrderPlaced.class.getName());
	}

	private RuntimeHints process(String... properties) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			TestPropertyValues.of(properties).applyTo(context);
			context.register(Shop.class);
			DefaultGenerationContext generation = new DefaultGenerationContext(
					new ClassNameGenerator(ClassName.get("com.example", "Application")), this.files);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
			generation.writeGeneratedContent();
			return generation.getRuntimeHints();
		}
	}

}
