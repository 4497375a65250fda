/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.GenericSignatureFormatError;
import java.lang.reflect.MalformedParameterizedTypeException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;

import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * The one way in which the annotations of an event are looked up: on the element itself,
 * on its superclasses and interfaces, and as a part of an annotation of the application,
 * whose attributes may be aliases of ours.
 * <p>
 * An annotation of the application that may only stand at the use of a type is found on
 * the type of the element.
 */
public final class AnnotationLookup {

	private AnnotationLookup() {
	}

	/**
	 * Find an annotation, with those that are inherited and those on other annotations.
	 * @param element the type, method or field
	 * @param annotation the type of the annotation
	 * @param <A> the type of the annotation
	 * @return the annotation, {@code null} if there is none
	 */
	public static <A extends Annotation> @Nullable A find(AnnotatedElement element, Class<A> annotation) {
		A found = AnnotatedElementUtils.findMergedAnnotation(element, annotation);
		AnnotatedElement type = (found == null) ? typeOf(element) : null;
		return (type != null) ? AnnotatedElementUtils.findMergedAnnotation(type, annotation) : found;
	}

	/**
	 * Whether {@link #find} finds an annotation.
	 * @param element the type, method or field
	 * @param annotation the type of the annotation
	 * @return whether there is one
	 */
	public static boolean isPresent(AnnotatedElement element, Class<? extends Annotation> annotation) {
		return find(element, annotation) != null;
	}

	private static @Nullable AnnotatedElement typeOf(AnnotatedElement element) {
		try {
			if (element instanceof Field field) {
				return field.getAnnotatedType();
			}
			if (element instanceof RecordComponent component) {
				return component.getAnnotatedType();
			}
			return (element instanceof Method method) ? method.getAnnotatedReturnType() : null;
		}
		catch (TypeNotPresentException | MalformedParameterizedTypeException | GenericSignatureFormatError
				| NoClassDefFoundError ex) {
			// Any event of the application is looked at, also one whose type is optional:
			// a class that is not there has no annotation
			return null;
		}
	}

}
