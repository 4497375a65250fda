/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.aot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.publish.AnnotatedPublicationPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.ClassMetadata;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/**
 * The concrete event types in a package and in those below it.
 */
public final class EventTypes {

	private static final String DAMAGED = "Look for a damaged jar file on the class path.";

	private final ResourceLoader resources;

	/**
	 * Create a search.
	 * @param resources finds and loads the classes
	 */
	public EventTypes(ResourceLoader resources) {
		this.resources = resources;
	}

	/**
	 * Return the names of the classes with {@link OutboxMessage}. An application that was
	 * processed ahead of time has a list of them, if the package was searched then.
	 * @param packageName where to look
	 * @return the names of the classes
	 */
	public List<String> named(String packageName) {
		Resource list = this.resources.getResource("classpath:" + list(packageName));
		return (AotDetector.useGeneratedArtifacts() && list.exists()) ? read(list) : search(packageName);
	}

	private List<String> search(String packageName) {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
		scanner.setResourceLoader(this.resources);
		// Also of interfaces: the publishing side finds it there, too
		scanner.addIncludeFilter(new AnnotationTypeFilter(OutboxMessage.class, true, true));
		return scanner.findCandidateComponents(packageName).stream().map(BeanDefinition::getBeanClassName).toList();
	}

	/**
	 * Return where the list of a package is.
	 */
	static String list(String packageName) {
		return "META-INF/ordered-outbox/types/" + packageName;
	}

	private static List<String> read(Resource list) {
		try {
			return list.getContentAsString(StandardCharsets.UTF_8).lines().toList();
		}
		catch (IOException ex) {
			throw new OutboxConfigurationException(
					"The event types in %s cannot be read: %s.".formatted(list.getDescription(), ex.getMessage()),
					DAMAGED, ex);
		}
	}

	/**
	 * Return the classes that are messages of the outbox, also those that only have a
	 * partition key. All classes are loaded to find out: that is for builds.
	 */
	List<Class<?>> annotated(String packageName) {
		MetadataReaderFactory readers = MetadataReaderFactory.create(this.resources);
		List<Class<?>> found = new ArrayList<>();
		try {
			for (Resource file : new PathMatchingResourcePatternResolver(this.resources)
				.getResources("classpath*:" + ClassUtils.convertClassNameToResourcePath(packageName) + "/**/*.class")) {
				ClassMetadata type = readers.getMetadataReader(file).getClassMetadata();
				Class<?> event = (type.isConcrete() && type.isIndependent()) ? event(type.getClassName()) : null;
				if (event != null) {
					found.add(event);
				}
			}
		}
		catch (IOException ex) {
			throw new OutboxConfigurationException(
					"The package '%s' cannot be searched for event types: %s.".formatted(packageName, ex.getMessage()),
					DAMAGED, ex);
		}
		return found;
	}

	// A class that needs another one that is not there is no event that anybody publishes
	private @Nullable Class<?> event(String name) {
		try {
			Class<?> type = ClassUtils.resolveClassName(name, this.resources.getClassLoader());
			return AnnotatedPublicationPolicy.isAnnotated(type) ? type : null;
		}
		catch (LinkageError | IllegalArgumentException | IllegalStateException | TypeNotPresentException ex) {
			return null;
		}
	}

}
