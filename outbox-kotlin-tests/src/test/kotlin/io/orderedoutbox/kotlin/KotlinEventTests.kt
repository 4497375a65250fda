/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kotlin

import io.orderedoutbox.MissingPartitionKeyException
import io.orderedoutbox.OutboxPublicationException
import io.orderedoutbox.servers.Servers
import java.math.BigDecimal
import java.util.UUID
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.context.ApplicationEventPublisher
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Service
import org.springframework.test.context.DynamicPropertyRegistry
import org.springframework.test.context.DynamicPropertySource
import org.springframework.transaction.annotation.Transactional
import org.springframework.transaction.support.TransactionTemplate
import tools.jackson.databind.json.JsonMapper

/**
 * Events that are written in Kotlin, as they are stored: key and body.
 */
@SpringBootTest(properties = ["outbox.ordered=true", "outbox.relay.mode=off", "outbox.jdbc.initialize-schema=always"])
class KotlinEventTests @Autowired constructor(
    private val events: ApplicationEventPublisher,
    private val transactions: TransactionTemplate,
    private val jdbc: JdbcClient,
    private val mapper: JsonMapper,
    private val shop: CoroutineShop,
) {

    @AfterEach
    fun empty() {
        jdbc.sql("DELETE FROM outbox_message").update()
    }

    @ParameterizedTest
    @MethodSource("keyed")
    fun keyIsFoundWhereKotlinPutsTheAnnotation(event: Any) {
        publish(event)
        assertThat(stored().key).isEqualTo(ID.toString())
        assertThat(mapper.readTree(stored().payload).get("orderId").asString()).isEqualTo(ID.toString())
    }

    @Test
    fun whatIsPrivateIsAKeyAndNotInTheBody() {
        publish(Private(ID, "n"))
        assertThat(stored().key).isEqualTo(ID.toString())
        assertThat(String(stored().payload)).isEqualTo("""{"note":"n"}""")
    }

    @Test
    fun nameOfTheAnnotationAndDefaultArgumentsAreStored() {
        publish(OrderPlaced(ID, BigDecimal("9.90")))
        assertThat(stored().name).isEqualTo("order.placed")
        assertThat(mapper.readValue(stored().payload, OrderPlaced::class.java)).isEqualTo(OrderPlaced(ID, BigDecimal("9.90")))
    }

    @Test
    fun anEventIsReadAgainAsItWasWritten() {
        val event = WithDefaults(ID, "urgent", listOf(Line("tea", 2)))
        publish(event)
        assertThat(mapper.readValue(stored().payload, WithDefaults::class.java)).isEqualTo(event)
        assertThat(mapper.readValue("""{"orderId":"$ID"}""", WithDefaults::class.java)).isEqualTo(WithDefaults(ID))
    }

    @Test
    fun aValueClassIsReadAgainAsItWasWritten() {
        val event = OfValueClass(OrderId(ID))
        publish(event)
        assertThat(mapper.readValue(stored().payload, OfValueClass::class.java)).isEqualTo(event)
    }

    @ParameterizedTest
    @MethodSource("withoutKey")
    fun nullIsNoKey(event: Any) {
        assertThatExceptionOfType(MissingPartitionKeyException::class.java).isThrownBy { publish(event) }
            .withMessageContaining("null")
    }

    @Test
    fun whatIsInternalIsAKeyAndHasTheNameOfTheModuleInTheBody() {
        listOf(Internal(ID), InternalGetter(ID)).forEach { event ->
            publish(event)
            assertThat(stored().key).isEqualTo(ID.toString())
            assertThat(mapper.readTree(stored().payload).propertyNames()).allMatch { it.startsWith("orderId$") }
            empty()
        }
    }

    @Test
    fun anObjectHasNothingToSayAndIsRefused() {
        assertThatExceptionOfType(OutboxPublicationException::class.java).isThrownBy { publish(ShopOpened) }
            .withMessageContaining("nothing to send")
    }

    @Test
    fun theNameOfAGenericEventIsThatOfItsClass() {
        publish(Created(ID, Line("tea", 2)))
        assertThat(stored().name).isEqualTo("created")
    }

    @Test
    fun aCoroutineThatHasNotLeftTheThreadPublishesInItsTransaction() {
        transactions.executeWithoutResult { runBlocking { events.publishEvent(OnField(ID)) } }
        assertThat(stored().key).isEqualTo(ID.toString())
    }

    @Test
    fun aCoroutineOnAnotherThreadIsRefused() {
        assertThatExceptionOfType(OutboxPublicationException::class.java).isThrownBy {
            transactions.executeWithoutResult {
                runBlocking { withContext(Dispatchers.IO) { events.publishEvent(OnField(ID)) } }
            }
        }.withMessageContaining("transaction")
        assertThat(count()).isZero()
    }

    @Test
    fun aTransactionalFunctionThatSuspendsIsRefused() {
        listOf<suspend () -> Unit>({ shop.place(ID) }, { shop.placeElsewhere(ID) }).forEach { place ->
            assertThatExceptionOfType(OutboxPublicationException::class.java)
                .isThrownBy { runBlocking { place() } }
                .withMessageContaining("transaction")
        }
        assertThat(count()).isZero()
    }

    private fun publish(event: Any) {
        transactions.executeWithoutResult { events.publishEvent(event) }
    }

    private fun count(): Int = jdbc.sql("SELECT COUNT(*) FROM outbox_message").query(Int::class.java).single()

    private fun stored(): Stored =
        jdbc.sql("SELECT name, partition_key, payload FROM outbox_message").query { row, _ ->
            Stored(row.getString("name"), row.getString("partition_key"), row.getBytes("payload"))
        }.single()

    class Stored(val name: String, val key: String?, val payload: ByteArray)

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(CoroutineShop::class)
    class Application

    companion object {

        private val ID: UUID = UUID.fromString("0b1c2d3e-0000-7000-8000-000000000001")

        @JvmStatic
        @DynamicPropertySource
        fun servers(properties: DynamicPropertyRegistry) = connect(properties)

        @JvmStatic
        fun keyed(): List<Any> = listOf(
            OrderPlaced(ID, BigDecimal.ONE), OnField(ID), OnGetter(ID), Mutable(ID), InBody(ID), Delegated(ID),
            Late().apply { orderId = ID }, OfValueClass(OrderId(ID)),
            OfValueClassOnGetter(OrderId(ID)), OfNullableValueClass(OrderId(ID)), Nullable(ID), WithDefaults(ID),
            OnType(ID), Created(ID, Line("tea", 2)), OrderShipped(ID, "p"), OrderCancelled(ID),
            Payment.Received(ID, BigDecimal.ONE), OnProperty(ID), OnPropertyOfInterface(ID),
            OnPropertyOfInterfaceFurtherUp(ID),
        )

        @JvmStatic
        fun withoutKey(): List<Any> = listOf(Nullable(null), OfNullableValueClass(null))
    }
}

@Service
class CoroutineShop(private val events: ApplicationEventPublisher) {

    @Transactional
    suspend fun place(orderId: UUID) {
        events.publishEvent(OnField(orderId))
        yield()
    }

    @Transactional
    suspend fun placeElsewhere(orderId: UUID) {
        withContext(Dispatchers.IO) { events.publishEvent(OnField(orderId)) }
    }
}

fun connect(properties: DynamicPropertyRegistry) {
    val database = Servers.database().fresh()
    val broker = Servers.broker()
    properties.add("spring.datasource.url") { database.jdbcUrl() }
    properties.add("spring.datasource.username") { database.username() }
    properties.add("spring.datasource.password") { database.password() }
    properties.add("spring.rabbitmq.host") { broker.host() }
    properties.add("spring.rabbitmq.port") { broker.port() }
    properties.add("spring.rabbitmq.username") { broker.username() }
    properties.add("spring.rabbitmq.password") { broker.password() }
}
