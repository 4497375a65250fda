/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.orderedoutbox.OutboxConfigurationException;

import org.springframework.util.Assert;

/**
 * A place in the code that can end the start of an application.
 * <ol>
 * <li>Everywhere it is a line that creates an {@link OutboxConfigurationException}. In
 * the wiring, which runs at the start only, it is one that creates any exception, or that
 * calls {@link Assert}: the properties are checked so.</li>
 * <li>A method that does so for others is not the place where an application is refused:
 * it returns the exception, or it takes the condition. Each line that calls such a method
 * is a place as well, so that a mistake has to be made for each of them.</li>
 * <li>A place was reached by a failure if the line is in its stack trace.</li>
 * </ol>
 *
 * @param type the full name of the class
 * @param member the method, also where the line is in a lambda expression
 * @param line the line
 */
record RefusalSite(String type, String member, int line) {

	private static final String ROOT = "io.orderedoutbox";

	private static final String WIRING = ROOT + ".autoconfigure";

	/**
	 * All places, in no order.
	 */
	static Set<RefusalSite> all() {
		JavaClasses code = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
			.withImportOption((location) -> !location.contains("outbox-test-servers"))
			.importPackages(ROOT);
		return code.stream()
			.filter((type) -> !type.isEquivalentTo(OutboxConfigurationException.class))
			.flatMap((type) -> type.getCodeUnits().stream())
			.flatMap((member) -> member.getCallsFromSelf().stream())
			.filter((call) -> refuses(call) || isOfRefusing(call))
			.map((call) -> new RefusalSite(call.getOriginOwner().getName(), call.getOrigin().getName(),
					call.getLineNumber()))
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private static boolean refuses(JavaCall<?> call) {
		JavaClass target = call.getTargetOwner();
		boolean wires = call.getOriginOwner().getPackageName().startsWith(WIRING);
		return target.isEquivalentTo(Assert.class) ? wires
				: call instanceof JavaConstructorCall && (target.isEquivalentTo(OutboxConfigurationException.class)
						|| (wires && target.isAssignableTo(Exception.class)));
	}

	private static boolean isOfRefusing(JavaCall<?> call) {
		return call.getTarget().resolveMember().filter(RefusalSite::isRefusing).isPresent();
	}

	private static boolean isRefusing(JavaCodeUnit method) {
		return method.getRawReturnType().isEquivalentTo(OutboxConfigurationException.class)
				|| (method.getModifiers().containsAll(Set.of(JavaModifier.PRIVATE, JavaModifier.STATIC))
						&& method.getRawParameterTypes().stream().anyMatch((type) -> type.isEquivalentTo(boolean.class))
						&& method.getCallsFromSelf().stream().anyMatch(RefusalSite::refuses));
	}

	/**
	 * Whether one of the failures comes from here.
	 */
	boolean isIn(Collection<? extends Throwable> failures) {
		return failures.stream()
			.flatMap((failure) -> Stream.of(failure.getStackTrace()))
			.anyMatch((frame) -> frame.getClassName().equals(this.type) && frame.getLineNumber() == this.line);
	}

	/**
	 * The place as it is known when lines are added above it.
	 */
	String method() {
		return this.type.substring(this.type.lastIndexOf('.') + 1) + "#" + this.member;
	}

	@Override
	public String toString() {
		return "%s (line %d)".formatted(method(), this.line);
	}

}
