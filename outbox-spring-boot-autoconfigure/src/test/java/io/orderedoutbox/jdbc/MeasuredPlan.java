/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * How a statement was carried out.
 *
 * @param reads what was read of tables; lists of ids and derived tables, both with the
 * alias {@code w}, are left out
 * @param sorts what was sorted, or put into a temporary table to be grouped
 * @param text what the database said
 */
public record MeasuredPlan(List<Read> reads, List<String> sorts, String text) {

	private static final Pattern READ = Pattern
		.compile("(?<how>[A-Z][a-z -]+?) on (?<table>\\w+)(?: using (?<index>\\w+))?(?<rest>.*)");

	private static final Pattern ROWS = Pattern.compile("\\(actual time=\\S+ rows=(\\S+) loops=(\\d+)\\)");

	private static final Pattern SORT = Pattern.compile("Sort\\b.*|.*\\btemporary table\\b.*");

	private static final String LIST = "w";

	public static MeasuredPlan ofMySql(String tree) {
		List<Read> reads = new ArrayList<>();
		List<String> sorts = new ArrayList<>();
		for (String line : tree.split("\n")) {
			String step = line.strip().replaceFirst("^-> ", "");
			Matcher read = READ.matcher(step);
			if (read.matches() && !read.group("table").equals(LIST)) {
				reads.add(new Read(read.group("table"), String.valueOf(read.group("index")), read.group("how"),
						rows(read.group("rest"))));
			}
			if (SORT.matcher(step).matches()) {
				sorts.add(step);
			}
		}
		return new MeasuredPlan(reads, sorts, tree);
	}

	/**
	 * Whether the statement was carried out, so that rows were counted.
	 */
	public boolean isMeasured() {
		return this.text.contains("actual time=") || this.text.contains("r_rows");
	}

	private static long rows(String rest) {
		Matcher rows = ROWS.matcher(rest);
		return rows.find() ? Math.round(Double.parseDouble(rows.group(1)) * Double.parseDouble(rows.group(2))) : 0;
	}

	public static MeasuredPlan ofMariaDb(String json) {
		MeasuredPlan plan = new MeasuredPlan(new ArrayList<>(), new ArrayList<>(), json);
		plan.add(JsonMapper.shared().readTree(json));
		return plan;
	}

	private void add(JsonNode node) {
		node.forEach(this::add);
		JsonNode table = node.path("table");
		String name = table.path("table_name").asString("");
		if (table.has("access_type") && !name.equals(LIST) && !name.startsWith("<")) {
			String how = table.path("access_type").asString()
					+ (table.path("using_index_for_group_by").asBoolean(false) ? " for group-by" : "");
			double rows = table.path("r_rows").asDouble(0) * table.path("r_loops").asDouble(0);
			this.reads.add(new Read(name, table.path("key").asString("null"), how, Math.round(rows)));
		}
		if (node.has("filesort")) {
			this.sorts.add(node.path("filesort").path("sort_key").asString(""));
		}
	}

	/**
	 * Some rows of a table.
	 *
	 * @param table its alias
	 * @param index the index by which they were found
	 * @param how the kind of access
	 * @param rows how many there were; zero where that was not measured
	 */
	public record Read(String table, String index, String how, long rows) {

		private static final Set<String> FULL_SCANS = Set.of("Table scan", "Index scan", "Covering index scan", "ALL",
				"index");

		private static final Set<String> LOOSE_SCANS = Set.of("Covering index skip scan for grouping",
				"range for group-by");

		public boolean isFullScan() {
			return FULL_SCANS.contains(this.how);
		}

		public boolean isLooseScan() {
			return LOOSE_SCANS.contains(this.how);
		}

	}

}
