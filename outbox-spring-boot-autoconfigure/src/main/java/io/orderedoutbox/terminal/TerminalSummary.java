/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayStatus;
import io.orderedoutbox.store.Backlog;
import io.orderedoutbox.terminal.Figures.Published;
import io.orderedoutbox.terminal.Figures.Waiting;
import io.orderedoutbox.terminal.SummaryText.Drawing;
import io.orderedoutbox.terminal.Terminal.Size;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Shows once a second on the last lines of the terminal how the relay of this instance is
 * doing. The summary asks only this process, and never the database.
 * <p>
 * Where standard output is no terminal nothing is written and nothing runs. When the
 * summary stops, its lines are gone and the terminal is as it was.
 */
public final class TerminalSummary implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(TerminalSummary.class);

	private static final Duration LAST_SECONDS = Duration.ofSeconds(10);

	private static final int SECONDS_BETWEEN_SIZES = 5;

	private static final int MILLIS_TO_END = 2_000;

	private final Supplier<RelayStatus> relay;

	private final Supplier<@Nullable Backlog> backlog;

	private final RecentFailures failures;

	private final Terminal terminal;

	private @Nullable Run run;

	/**
	 * Create a summary on standard output.
	 * @param relay the relay
	 * @param backlog what waits, as the sampler last saw it, without asking the database
	 * @param failures what the relay has told of failures
	 */
	public TerminalSummary(OutboxRelay relay, Supplier<@Nullable Backlog> backlog, RecentFailures failures) {
		this(relay::status, backlog, failures, new StandardOutput());
	}

	TerminalSummary(Supplier<RelayStatus> relay, Supplier<@Nullable Backlog> backlog, RecentFailures failures,
			Terminal terminal) {
		this.relay = relay;
		this.backlog = backlog;
		this.failures = failures;
		this.terminal = terminal;
	}

	@Override
	public synchronized void start() {
		if (this.run != null) {
			return;
		}
		Size size = this.terminal.size();
		if (size == null) {
			logger.debug("Nobody can watch the outbox: standard output is no terminal, or none whose size is known");
			return;
		}
		this.run = new Run(size);
		this.run.thread.start();
	}

	@Override
	public void stop() {
		Run stopped;
		synchronized (this) {
			stopped = this.run;
			this.run = null;
		}
		if (stopped != null) {
			stopped.stop();
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.run != null;
	}

	/**
	 * From a start to a stop. All but the stop is done by its thread.
	 */
	private final class Run {

		private final CountDownLatch stop = new CountDownLatch(1);

		private final Thread thread = new Thread(this::live, "outbox-terminal");

		private final Footer footer = new Footer();

		private final SummaryText text = new SummaryText(Drawing.on(TerminalSummary.this.terminal));

		private final Progress progress = new Progress();

		private final Rates rates = new Rates();

		private Size size;

		Run(Size size) {
			this.size = size;
			this.thread.setDaemon(true);
		}

		private void live() {
			try {
				try {
					refresh();
				}
				finally {
					TerminalSummary.this.terminal.write(this.footer.remove());
				}
			}
			catch (InterruptedException ex) {
				// The application has told the summary to end
				Thread.currentThread().interrupt();
			}
			catch (IOException | RuntimeException ex) {
				logger.atWarn()
					.setCause(ex)
					.addKeyValue("error", ex.toString())
					.log("The summary on the terminal has failed and is not shown any more");
			}
		}

		private void refresh() throws IOException, InterruptedException {
			int seconds = 0;
			do {
				if (++seconds % SECONDS_BETWEEN_SIZES == 0) {
					resize();
				}
				TerminalSummary.this.terminal
					.write(this.footer.draw(this.text.lines(figures(), this.size.columns()), this.size));
			}
			while (!this.stop.await(1, TimeUnit.SECONDS));
		}

		private void resize() {
			Size now = TerminalSummary.this.terminal.size();
			this.size = (now != null) ? now : this.size;
		}

		private Figures figures() {
			RelayStatus status = TerminalSummary.this.relay.get();
			Backlog backlog = TerminalSummary.this.backlog.get();
			this.rates.add(System.nanoTime(), status.published());
			Waiting waiting = (backlog != null) ? new Waiting(backlog, this.progress.highest(backlog.depth())) : null;
			return new Figures(status, waiting,
					new Published(this.rates.perSecond(LAST_SECONDS), this.rates.perSecond(Rates.LONGEST)),
					TerminalSummary.this.failures.report());
		}

		// A terminal that was halted (Ctrl-S) takes nothing, and is not waited for
		void stop() {
			this.stop.countDown();
			try {
				this.thread.join(MILLIS_TO_END);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
