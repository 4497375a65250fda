/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Standard output of this process, which may be a terminal.
 * <p>
 * Java tells whether it is one, and not how large: {@code stty} does, which every Unix
 * has. Where there is none, it is as if this were no terminal.
 */
final class StandardOutput implements Terminal {

	private static final Logger logger = LoggerFactory.getLogger(StandardOutput.class);

	private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,3}) ([1-9]\\d{0,3})");

	private static final int SECONDS_TO_ANSWER = 2;

	private static final Charset CHARSET = charset();

	// The real one, even if the application has directed System.out elsewhere
	private final OutputStream out = new FileOutputStream(FileDescriptor.out);

	private static Charset charset() {
		return Optional.ofNullable(System.console()).map(Console::charset).orElseGet(Charset::defaultCharset);
	}

	@Override
	public @Nullable Size size() {
		return (isTerminal(System.console()) && canBeSteered(System.getenv("TERM"))) ? ask() : null;
	}

	// From Java 22 on a file or a pipe has a console, too, which says it is no terminal
	static boolean isTerminal(@Nullable Console console) {
		Method tells = ClassUtils.getMethodIfAvailable(Console.class, "isTerminal");
		return console != null && (tells == null || Boolean.TRUE.equals(ReflectionUtils.invokeMethod(tells, console)));
	}

	static boolean canBeSteered(@Nullable String type) {
		return type != null && !type.isEmpty() && !type.equals("dumb");
	}

	// A process of its own: not for every second
	private static @Nullable Size ask() {
		try {
			Process process = new ProcessBuilder("stty", "size").redirectInput(ProcessBuilder.Redirect.INHERIT)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			try {
				boolean ended = process.waitFor(SECONDS_TO_ANSWER, TimeUnit.SECONDS);
				return ended ? parse(new String(process.getInputStream().readAllBytes(), CHARSET)) : null;
			}
			finally {
				process.destroyForcibly();
			}
		}
		catch (IOException ex) {
			logger.debug("The terminal cannot be asked how large it is", ex);
			return null;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return null;
		}
	}

	static @Nullable Size parse(String answer) {
		Matcher size = SIZE.matcher(answer.strip());
		return size.matches() ? new Size(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2))) : null;
	}

	@Override
	public boolean canShow(char character) {
		return CHARSET.newEncoder().canEncode(character);
	}

	@Override
	public void write(String text) throws IOException {
		this.out.write(text.getBytes(CHARSET));
	}

}
