/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.autoconfigure.OutboxDataSource;
import io.orderedoutbox.autoconfigure.named.OutboxNamedProperties.Named;
import io.orderedoutbox.publish.OutboxMember;
import io.orderedoutbox.publish.OutboxTransactionListener;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.send.OutboxScope;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;

/**
 * An outbox that has a name, in an application context of its own: so it has everything
 * that an outbox has, from the same auto-configuration, and nothing of it can be mistaken
 * for a part of another outbox. The application sees the {@link Outbox} only.
 * <p>
 * The context is refreshed when the application's is, starts and stops with the relays of
 * the application, and is closed with it. A failure in it ends the start of the
 * application. What an outbox that is switched off would have is not there.
 */
@DependsOnDatabaseInitialization
final class NamedOutbox implements OutboxMember, SmartLifecycle, DisposableBean {

	private final String name;

	private final boolean enabled;

	private final List<String> packages;

	private final NamedContext made;

	private final GenericApplicationContext context;

	private final DeferredStart lifecycle;

	// Asked for at once: transactions still commit while the application closes
	private final @Nullable Outbox outbox;

	private final @Nullable OutboxTransactionListener transactions;

	private volatile boolean running;

	NamedOutbox(String name, ConfigurableApplicationContext application, ObjectProvider<DataSource> dataSource,
			@OutboxDataSource ObjectProvider<DataSource> outboxDataSource,
			ObjectProvider<NamedOutboxCustomizer> customizers) {
		Named properties = OutboxNamedProperties.of(application.getEnvironment(), name);
		this.name = name;
		this.enabled = properties.enabled();
		this.packages = properties.eventPackages();
		this.made = new NamedContext(name, properties, application,
				() -> outboxDataSource.getIfAvailable(dataSource::getIfUnique), customizers.orderedStream().toList());
		this.lifecycle = this.made.lifecycle();
		this.context = OutboxScope.call(name, this.made::refresh);
		this.outbox = this.enabled ? this.context.getBean(Outbox.class) : null;
		this.transactions = this.enabled ? this.context.getBean(OutboxTransactionListener.class) : null;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public @Nullable Outbox outbox() {
		return this.outbox;
	}

	@Override
	public boolean isInTransaction() {
		return this.transactions != null && this.transactions.isInTransaction();
	}

	@Override
	public Collection<String> packages() {
		return this.packages;
	}

	boolean isEnabled() {
		return this.enabled;
	}

	/**
	 * What follows the transactions of an outbox that is not switched off.
	 */
	OutboxTransactionListener transactions() {
		return Objects.requireNonNull(this.transactions);
	}

	/**
	 * The beans of the outbox.
	 */
	BeanFactory beans() {
		return this.context.getBeanFactory();
	}

	/**
	 * Check what the outbox works with, when all of it is made. What is wrong is told
	 * with its name.
	 */
	void check(Consumer<Collaborators> check) {
		this.made.check(check);
	}

	@Override
	public void start() {
		this.running = true;
		OutboxScope.run(this.name, this.lifecycle::startNow);
	}

	// Not on a thread of its own, for the reason that is told in OutboxRelay
	@Override
	public void stop() {
		OutboxScope.run(this.name, this.context::stop);
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return OutboxRelay.DEFAULT_PHASE;
	}

	@Override
	public void destroy() {
		OutboxScope.run(this.name, this.context::close);
	}

}
