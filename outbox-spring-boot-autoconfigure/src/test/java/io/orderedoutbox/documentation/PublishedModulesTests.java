/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the poms say of the modules that are published: those that do not set
 * {@code maven.deploy.skip}.
 */
@Tag("unit")
class PublishedModulesTests {

	private static final String BOM = "outbox-bom";

	private final XPath xpath = XPathFactory.newInstance().newXPath();

	static List<String> jars() throws Exception {
		PublishedModulesTests poms = new PublishedModulesTests();
		return poms.values("", "/project/modules/module")
			.filter((module) -> !module.equals(BOM))
			.filter((module) -> poms.values(module, "/project/properties/maven.deploy.skip[.='true']")
				.findAny()
				.isEmpty())
			.toList();
	}

	@Test
	void theBomNamesThePublishedModulesAndNoOthers() throws Exception {
		assertThat(values(BOM, "/project/dependencyManagement//artifactId"))
			.as("a module is published and in the BOM, or it sets maven.deploy.skip and is not")
			.containsExactlyInAnyOrderElementsOf(jars());
		assertThat(values(BOM, "/project/dependencyManagement//version")).containsOnly("${project.version}");
	}

	@Test
	void theBuildItselfManagesTheVersionsOfTheBom() throws Exception {
		assertThat(values("", "/project/dependencyManagement//dependency[groupId='io.orderedoutbox']/artifactId"))
			.containsAll(jars());
	}

	@ParameterizedTest
	@MethodSource("jars")
	void aPublishedModuleSaysWhatItIs(String module) {
		assertThat(values(module, "/project/name")).singleElement().asString().startsWith("Ordered Outbox - ");
		assertThat(values(module, "/project/description")).singleElement().asString().isNotBlank();
		assertThat(values(module, "/project/properties/java.module.name")).as("java.module.name")
			.singleElement()
			.asString()
			.matches("io\\.orderedoutbox(\\.[a-z]+)+");
	}

	@Test
	void noTwoModulesAreOneForJava() throws Exception {
		assertThat(jars().stream().flatMap((module) -> values(module, "/project/properties/java.module.name")))
			.doesNotHaveDuplicates();
	}

	private Stream<String> values(String module, String path) {
		try {
			NodeList nodes = (NodeList) this.xpath.evaluate(path, pom(module), XPathConstants.NODESET);
			return IntStream.range(0, nodes.getLength()).mapToObj((i) -> nodes.item(i).getTextContent().strip());
		}
		catch (XPathExpressionException ex) {
			throw new IllegalArgumentException("'" + path + "' is no XPath: mend it", ex);
		}
	}

	private static Document pom(String module) {
		Path pom = Documents.root().resolve(module).resolve("pom.xml");
		try {
			return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
		}
		catch (Exception ex) {
			throw new IllegalStateException(pom + " cannot be read as XML: mend it", ex);
		}
	}

}
