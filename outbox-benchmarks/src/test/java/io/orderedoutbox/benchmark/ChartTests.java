/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import io.orderedoutbox.benchmark.figure.Figure.Limit;
import io.orderedoutbox.benchmark.figure.Figure;
import io.orderedoutbox.benchmark.figure.Goal;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("unit")
class ChartTests {

	@Test
	void aFigureHasItsLabelItsValueAndABarOfItsLength() throws Exception {
		Document half = chart(figure("half", 500, Goal.atLeast(0.4)));
		Document whole = chart(figure("whole", 1_000, Goal.atLeast(0.4)));
		assertThat(texts(half)).containsExactly("half", "0.50", "the limit");
		assertThat(width(half, 1) * 2).isEqualTo(width(whole, 1));
	}

	@Test
	void theBarOfTheLimitEndsAtTheLineOfTheLimit() throws Exception {
		Document chart = chart(figure("whole", 1_000, null));
		Element line = elements(chart, "line").get(0);
		assertThat(left(chart, 1) + width(chart, 1)).isEqualTo(Integer.parseInt(line.getAttribute("x1")));
	}

	@Test
	void theMarkOfAGoalIsWhereABarThatJustReachesItEnds() throws Exception {
		Document chart = chart(figure("just", 600, Goal.atLeast(0.6)));
		Element mark = elements(chart, "line").get(0);
		assertThat(left(chart, 1) + width(chart, 1)).isEqualTo(Integer.parseInt(mark.getAttribute("x1")));
	}

	@Test
	void aMissedGoalIsSeen() throws Exception {
		Document chart = chart(figure("reached", 700, Goal.atLeast(0.6)), figure("missed", 500, Goal.atLeast(0.6)),
				figure("known", 500, null));
		String reached = fill(chart, 1);
		assertThat(fill(chart, 2)).isNotEqualTo(reached);
		assertThat(fill(chart, 3)).isEqualTo(reached);
	}

	@Test
	void eachFigureHasARowOfItsOwn() throws Exception {
		Document chart = chart(figure("one", 700, null), figure("two", 500, null));
		List<Element> bars = elements(chart, "rect");
		assertThat(bars.stream().map((bar) -> bar.getAttribute("y")).distinct()).hasSize(3);
		assertThat(texts(chart)).containsExactly("one", "0.70", "two", "0.50", "the limit");
	}

	@Test
	void whatIsFarBeyondItsLimitStaysInThePicture() throws Exception {
		Document chart = chart(figure("far beyond", 90_000, Goal.atLeast(70)));
		int right = Integer.parseInt(chart.getDocumentElement().getAttribute("viewBox").split(" ")[2]);
		assertThat(left(chart, 1) + width(chart, 1)).isLessThan(right);
		assertThat(texts(chart)).contains("90.00");
	}

	@Test
	void textIsEscaped() throws Exception {
		assertThat(texts(chart(figure("a < b & c > d", 500, null)))).contains("a < b & c > d");
	}

	@Test
	void aFigureWithoutALimitIsNotDrawn() throws Exception {
		assertThat(texts(chart(new Figure("idle", "statements", 2, "", null, Goal.atMost(2)))))
			.containsExactly("the limit");
	}

	private static Figure figure(String what, double value, Goal goal) {
		return new Figure("drain", what, value, "messages/s", new Limit("raw", 1_000, value / 1_000), goal);
	}

	// Fails if it is not well-formed
	private static Document chart(Figure... figures) throws Exception {
		return DocumentBuilderFactory.newDefaultInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader(new Chart(List.of(figures)).svg())));
	}

	private static List<String> texts(Document chart) {
		return elements(chart, "text").stream().map(Element::getTextContent).toList();
	}

	// The first rectangle is the background
	private static int width(Document chart, int rectangle) {
		return Integer.parseInt(elements(chart, "rect").get(rectangle).getAttribute("width"));
	}

	private static int left(Document chart, int rectangle) {
		return Integer.parseInt(elements(chart, "rect").get(rectangle).getAttribute("x"));
	}

	private static String fill(Document chart, int rectangle) {
		return elements(chart, "rect").get(rectangle).getAttribute("fill");
	}

	private static List<Element> elements(Document chart, String name) {
		NodeList nodes = chart.getElementsByTagName(name);
		List<Element> elements = new ArrayList<>();
		for (int i = 0; i < nodes.getLength(); i++) {
			elements.add((Element) nodes.item(i));
		}
		return elements;
	}

}
