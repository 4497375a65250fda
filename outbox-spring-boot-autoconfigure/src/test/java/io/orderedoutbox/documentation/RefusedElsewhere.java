/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.List;

/**
 * A place that none of the mistakes of {@link MistakesTests} reaches, and the test that
 * does.
 *
 * @param site the class and the method; a method with two such places is here twice
 * @param test the class and the method of the test
 */
record RefusedElsewhere(String site, String test) {

	// Below the reason why they have no row
	static final List<RefusedElsewhere> ALL = """
			# The application runs when it is thrown
			Agreement#require DisagreementTests.ofTwoThatRunTheOneThatCameLaterStops
			JdbcInstances#findDifferences DisagreementTests.ofTwoThatRunTheOneThatCameLaterStops
			JdbcInstances#findDifferences DisagreementTests.ofTwoThatRunTheOneThatCameLaterStops
			Stripes#lock StripesTests.aMissingStripeIsNamedWithTheRemedy
			Stripes#lost StripesTests.aMissingStripeIsNamedWithTheRemedy
			JdbcOutboxStore#appendOne StripesTests.aMissingStripeIsNamedWithTheRemedy
			JdbcOutboxStore#requireSavepoints H2Tests.aStoreThatIsToFindEndedTransactionsIsRefused
			Partitions#of PartitionsTests.aPartitionerThatLeavesTheRangeIsRefused
			JdbcInbox#requireSameDatabase JdbcInboxTests.aTransactionManagerOfAnotherDataSourceIsRefused
			JdbcOutboxAdministration#requireArchive ArchiveReplayTests.withoutAnArchiveThereIsNothingToReplay
			JdbcPause#set CommonPauseTests.whereInstancesDoNotAskNobodyPretendsThatTheyArePaused
			Instances#pause CommonPauseTests.whereInstancesDoNotAskNobodyPretendsThatTheyArePaused
			# The server is another one, or fails at that moment
			Dialect#of DialectTests.refusesWhatIsTooOldOrUnknownAndSaysWhatToUse
			Dialect#of DialectTests.namesTheProductThatIsTooOld
			InboxSql#of InboxCheckTests.aDatabaseWithoutAnInboxIsRefusedByItsName
			SchemaCheck#requireNoDefect PostgreSqlTests.aDatabaseThatCannotHoldAllTextsIsRefused
			SchemaCheck#requireReplicable UnusualServerTests.aBinaryLogOfStatementsIsRefused
			SchemaCheck#requireDistinctKeys UnusualServerTests.aCollationInWhichKeysAreEqualAndThatNoListOfColumnsTellsOfIsRefused
			OutboxSchemaInitializer#runScripts UnusualServerTests.aServerThatEndsTheConnectionWhileItCreatesTablesIsNamed
			InboxSchemaInitializer#afterPropertiesSet UnusualServerTests.soIsOneThatDoesSoWithTheTablesOfTheInbox
			# It takes another instance, and its time
			OutboxSchemaInitializer#runLocked UnusualServerTests.anInstanceThatCreatesTablesForTooLongIsTold
			InstantAdditions#tryToAdd InstantAdditionsTests.aTableThatIsInUseForTooLongIsGivenUp
			ShardDeclaration#refuse ShardDeclarationTests.ofTwoCountsThatAreDeclaredAtTheSameTimeOneIsLeft
			ShardDeclaration#requireEmpty ShardDeclarationTests.aQueueWhoseLeaderIsSilentIsNotTakenForEmpty
			# The report is that of another place
			OutboxListeners#requireOne ListenerScopeTests.oneThatIsMadeAtTheStartIsRefusedThen
			# It silences the log of the process, and of other tests
			SchemaDialect#of SchemaPrinterTests.aPlatformWithoutScriptsIsABadOption
			# It needs a Hibernate with tenants
			NamedContext#check EntityListenerTests.tenantsOfHibernateAreRefusedForAnOutboxWithAName
			# The class path has another version of a library
			BootVersionCheck#require BootVersionCheckTests.anOldOneIsRefusedByName
			BrokerSettings#read BrokerSettingsTests.aFieldThatAVersionDoesNotHaveIsNamed
			# The class path cannot be read
			KnownProperties#read KnownPropertiesTests.aDamagedClassPathIsNamed
			EventTypes#read EventTypesTests.aDamagedListIsNamed
			EventTypes#annotated EventTypesTests.aPackageThatCannotBeSearchedIsNamed
			# Beans of Spring AMQP, which need the same connection, fail before it
			OutboxRabbitAutoConfiguration$SenderConfiguration#targetOf OutboxRabbitAutoConfigurationTests.aProxyThatCannotShowWhatIsBehindItIsNamed
			"""
		.lines()
		.filter((line) -> !line.startsWith("#"))
		.map((line) -> line.split(" "))
		.map((words) -> new RefusedElsewhere(words[0], words[1]))
		.toList();

	/**
	 * Whether the test that is named exists.
	 */
	boolean isAsItSays() {
		String[] names = this.test.split("\\.");
		return TestSource.named(names[0]).filter((source) -> source.hasTest(names[1])).isPresent();
	}

}
