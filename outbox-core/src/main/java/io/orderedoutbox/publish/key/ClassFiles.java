/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.io.IOException;
import java.io.InputStream;

import io.orderedoutbox.PartitionKey;
import org.jspecify.annotations.Nullable;

import org.springframework.asm.AnnotationVisitor;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.RecordComponentVisitor;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.asm.TypePath;
import org.springframework.util.ClassUtils;

/**
 * Looks for {@link PartitionKey} on the members of a type of which the JVM tells nothing,
 * because one of them has a type that is not there. The files of its classes tell.
 */
final class ClassFiles {

	private ClassFiles() {
	}

	/**
	 * Return whether a member of the type is marked, itself or by an annotation of the
	 * application.
	 */
	static boolean mark(Class<?> type) {
		if (LibraryTypes.contain(type)) {
			return false;
		}
		Marks marks = new Marks(type.getClassLoader());
		if (read(type, type.getName(), marks) && marks.found) {
			return true;
		}
		// Kotlin may keep the annotations of an interface's properties there
		if (type.isInterface() && read(type, type.getName() + "$DefaultImpls", marks) && marks.found) {
			return true;
		}
		for (Class<?> parent : type.getInterfaces()) {
			if (mark(parent)) {
				return true;
			}
		}
		Class<?> parent = type.getSuperclass();
		return parent != null && mark(parent);
	}

	// One that was made at run time has no file
	private static boolean read(Class<?> type, String name, ClassVisitor visitor) {
		try (InputStream file = type
			.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ClassUtils.CLASS_FILE_SUFFIX)) {
			if (file == null) {
				return false;
			}
			new ClassReader(file).accept(visitor,
					ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			return true;
		}
		catch (IOException | IllegalArgumentException ex) {
			return false;
		}
	}

	/**
	 * Sees the annotations of all members.
	 */
	private static final class Marks extends ClassVisitor {

		private final @Nullable ClassLoader loader;

		private boolean found;

		Marks(@Nullable ClassLoader loader) {
			super(SpringAsmInfo.ASM_VERSION);
			this.loader = loader;
		}

		private @Nullable AnnotationVisitor see(String descriptor) {
			try {
				Class<?> annotation = ClassUtils.forName(Type.getType(descriptor).getClassName(), this.loader);
				this.found |= annotation == PartitionKey.class
						|| AnnotationLookup.isPresent(annotation, PartitionKey.class);
			}
			catch (ClassNotFoundException | LinkageError ex) {
				// The JVM overlooks an annotation that is not there
				return null;
			}
			return null;
		}

		@Override
		public FieldVisitor visitField(int access, String name, String descriptor, @Nullable String signature,
				@Nullable Object value) {
			return new FieldVisitor(this.api) {

				@Override
				public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
					return see(descriptor);
				}

				@Override
				public @Nullable AnnotationVisitor visitTypeAnnotation(int reference, @Nullable TypePath path,
						String descriptor, boolean visible) {
					return see(descriptor);
				}

			};
		}

		@Override
		public RecordComponentVisitor visitRecordComponent(String name, String descriptor, @Nullable String signature) {
			return new RecordComponentVisitor(this.api) {

				@Override
				public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
					return see(descriptor);
				}

			};
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
				String @Nullable [] exceptions) {
			return new MethodVisitor(this.api) {

				@Override
				public @Nullable AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
					return see(descriptor);
				}

				@Override
				public @Nullable AnnotationVisitor visitParameterAnnotation(int parameter, String descriptor,
						boolean visible) {
					return see(descriptor);
				}

				@Override
				public @Nullable AnnotationVisitor visitTypeAnnotation(int reference, @Nullable TypePath path,
						String descriptor, boolean visible) {
					return see(descriptor);
				}

			};
		}

	}

}
