/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import javax.sql.DataSource;

import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.cfg.Configuration;

import org.springframework.modulith.events.EventPublication.Status;

/**
 * The publications of Spring Modulith's JPA registry, by its entity and by Hibernate with
 * the names that Spring Boot gives to tables and columns.
 * <p>
 * The entity is in no jar of the class path, because its library would configure itself
 * in the tests.
 */
final class ModulithEntities implements AutoCloseable {

	private static final String ENTITY = "org.springframework.modulith.events.jpa.updating.DefaultJpaEventPublication";

	private final URLClassLoader classes;

	private final Class<?> entity;

	private final SessionFactory sessions;

	private ModulithEntities(DataSource dataSource, String action) {
		URL directory = Objects.requireNonNull(
				ModulithEntities.class.getResource("/tables-of-other-libraries/modulith-jpa/"),
				"The build has not taken the entity out of its jar");
		this.classes = new URLClassLoader(new URL[] { directory }, ModulithEntities.class.getClassLoader());
		try {
			this.entity = this.classes.loadClass(ENTITY);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException("The entity has another name", ex);
		}
		Configuration configuration = new Configuration(
				new BootstrapServiceRegistryBuilder().applyClassLoader(this.classes).build())
			.addAnnotatedClass(this.entity)
			.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
		configuration.getProperties().put("hibernate.connection.datasource", dataSource);
		configuration.getProperties().put("hibernate.hbm2ddl.auto", action);
		this.sessions = configuration.buildSessionFactory();
	}

	/**
	 * Make the table, as {@code spring.jpa.hibernate.ddl-auto} does.
	 */
	static void createTable(DataSource dataSource) {
		new ModulithEntities(dataSource, "create").close();
	}

	/**
	 * The entities in the table that is there. It is validated as Hibernate does.
	 */
	static ModulithEntities in(DataSource dataSource) {
		return new ModulithEntities(dataSource, "validate");
	}

	/**
	 * Write a publication that is not completed. Its class is one of these tests, since
	 * an entity takes no other.
	 */
	void write(String id, String listener, String event, Instant publicationDate, Status status) {
		this.sessions.inStatelessTransaction((session) -> session
			.insert(newEntity(UUID.fromString(id), publicationDate, listener, event, Object.class, status, null, 1)));
	}

	private Object newEntity(Object... arguments) {
		try {
			for (Constructor<?> constructor : this.entity.getConstructors()) {
				if (constructor.getParameterCount() == arguments.length) {
					return constructor.newInstance(arguments);
				}
			}
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("The entity cannot be created", ex);
		}
		throw new IllegalStateException("The entity has another constructor");
	}

	/**
	 * Id, event and date of the publications that Modulith would start again, in the
	 * order of their dates.
	 */
	List<String> failed() {
		try (StatelessSession session = this.sessions.openStatelessSession()) {
			return session.createSelectionQuery("""
					select p.id, p.serializedEvent, p.publicationDate from DefaultJpaEventPublication p
					where p.status = FAILED and p.completionAttempts = 1 order by p.publicationDate""", Object[].class)
				.getResultList()
				.stream()
				.map((row) -> "%s|%s|%s".formatted(row))
				.toList();
		}
	}

	@Override
	public void close() {
		try (this.classes) {
			this.sessions.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
