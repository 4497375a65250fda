/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark;

import java.util.List;
import java.util.Locale;

import io.orderedoutbox.benchmark.figure.Figure;

/**
 * A bar for each figure that stands beside a limit: how much of the limit it reaches, and
 * a mark for what it must. Drawn for light and dark backgrounds alike.
 *
 * @param figures all figures
 */
record Chart(List<Figure> figures) {

	private static final int LABELS = 330;

	private static final int BARS = 420;

	private static final int ROW = 28;

	private static final double LARGEST = 1.25;

	String svg() {
		List<Figure> shown = this.figures.stream().filter((figure) -> figure.limit() != null).toList();
		int height = ROW * shown.size() + 40;
		StringBuilder svg = new StringBuilder();
		svg.append("""
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" font-family="sans-serif" font-size="13">
				<rect width="%1$d" height="%2$d" fill="#ffffff"/>
				""".formatted(LABELS + BARS + 70, height));
		for (int row = 0; row < shown.size(); row++) {
			bar(svg, shown.get(row), 10 + row * ROW);
		}
		svg.append("<line x1=\"%1$d\" y1=\"4\" x2=\"%1$d\" y2=\"%2$d\" stroke=\"#8a8a8a\" stroke-dasharray=\"3 3\"/>\n"
			.formatted(x(1), height - 26));
		svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#555555\">the limit</text>\n</svg>\n"
			.formatted(x(1), height - 10));
		return svg.toString();
	}

	private static void bar(StringBuilder svg, Figure figure, int y) {
		double ratio = Math.min(figure.judged(), LARGEST);
		svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#222222\">%s</text>\n".formatted(LABELS - 8,
				y + 14, escaped(figure.what())));
		svg.append("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"18\" rx=\"2\" fill=\"%s\"/>\n".formatted(LABELS, y,
				x(ratio) - LABELS, figure.isReached() ? "#3b78b5" : "#c4572f"));
		svg.append("<text x=\"%d\" y=\"%d\" fill=\"#222222\">%s</text>\n".formatted(x(ratio) + 6, y + 14,
				String.format(Locale.ROOT, "%.2f", figure.judged())));
		if (figure.goal() != null) {
			svg.append("<line x1=\"%1$d\" y1=\"%2$d\" x2=\"%1$d\" y2=\"%3$d\" stroke=\"#111111\" stroke-width=\"2\"/>\n"
				.formatted(x(Math.min(figure.goal().bound(), LARGEST)), y - 3, y + 21));
		}
	}

	private static int x(double ratio) {
		return LABELS + (int) Math.round(BARS * ratio / LARGEST);
	}

	private static String escaped(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
	}

}
