/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kotlin

import io.orderedoutbox.OutboxConfigurationException
import io.orderedoutbox.inbox.ProcessOnce
import io.orderedoutbox.inbox.ProcessOncePostProcessor
import io.orderedoutbox.listen.OutboxListener
import io.orderedoutbox.listen.OutboxListeners
import java.math.BigDecimal
import java.util.UUID
import java.util.concurrent.CopyOnWriteArrayList
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.springframework.amqp.core.BindingBuilder
import org.springframework.amqp.core.Declarables
import org.springframework.amqp.core.QueueBuilder
import org.springframework.amqp.core.TopicExchange
import org.springframework.amqp.rabbit.annotation.RabbitHandler
import org.springframework.amqp.rabbit.annotation.RabbitListener
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.context.ApplicationEventPublisher
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.stereotype.Component
import org.springframework.test.annotation.DirtiesContext
import org.springframework.test.context.DynamicPropertyRegistry
import org.springframework.test.context.DynamicPropertySource
import org.springframework.transaction.support.TransactionTemplate

/**
 * The whole road of events in Kotlin, to a listener in Kotlin that processes them once.
 */
@SpringBootTest(
    properties = [
        "outbox.ordered=true", "outbox.jdbc.initialize-schema=always", "outbox.inbox.enabled=true",
        "outbox.inbox.initialize-schema=always", "outbox.inbox.type-packages=io.orderedoutbox.kotlin",
    ],
)
@DirtiesContext
class KotlinListenerTests @Autowired constructor(
    private val events: ApplicationEventPublisher,
    private val transactions: TransactionTemplate,
    private val warehouse: Warehouse,
) {

    @Test
    fun eventsArriveAsTheClassesThatTheyWereInTheirOrder() {
        val id = UUID.randomUUID()
        val all = listOf(OrderPlaced(id, BigDecimal("9.90")), OrderShipped(id, "p"), OrderCancelled(id))
        all.forEach { event -> transactions.executeWithoutResult { events.publishEvent(event) } }
        await().until { warehouse.received.size == all.size }
        assertThat(warehouse.received).isEqualTo(all)
    }

    @Test
    fun aListenerThatSuspendsIsRefusedWithProcessOnce() {
        refused(Suspending::class.java, "its work would go on after its transaction")
    }

    @Test
    fun aListenerThatIsNotOpenIsRefusedWithProcessOnce() {
        refused(Closed::class.java, "in Kotlin, open")
    }

    @Test
    fun anOutboxListenerThatSuspendsIsRefused() {
        val listeners = OutboxListeners { "any" }
        assertThatExceptionOfType(OutboxConfigurationException::class.java)
            .isThrownBy { listeners.postProcessAfterInitialization(SuspendingInProcess(), "any") }
            .withMessageContaining("SuspendingInProcess")
    }

    private fun refused(listener: Class<*>, why: String) {
        assertThatExceptionOfType(Exception::class.java)
            .isThrownBy { AnnotationConfigApplicationContext(Processing::class.java, listener).close() }
            .havingRootCause()
            .isInstanceOf(OutboxConfigurationException::class.java)
            .withMessageContaining(why)
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Warehouse::class)
    class Application {

        @Bean
        fun topology(): Declarables {
            val exchange = TopicExchange(EXCHANGE)
            val queue = QueueBuilder.durable(EXCHANGE).singleActiveConsumer().build()
            return Declarables(exchange, queue, BindingBuilder.bind(queue).to(exchange).with("#"))
        }
    }

    class SuspendingInProcess {

        @OutboxListener("order.shipped")
        suspend fun on(event: OrderShipped) {
            check(event.parcel.isNotEmpty())
        }
    }

    companion object {

        private val EXCHANGE = "outbox-kotlin-" + UUID.randomUUID()

        @JvmStatic
        @DynamicPropertySource
        fun servers(properties: DynamicPropertyRegistry) {
            connect(properties)
            properties.add("outbox.rabbit.exchange") { EXCHANGE }
            properties.add("shop.queue") { EXCHANGE }
        }
    }
}

@Component
@RabbitListener(queues = ["\${shop.queue}"])
@ProcessOnce("warehouse")
class Warehouse {

    val received = CopyOnWriteArrayList<Any>()

    @RabbitHandler
    fun on(event: OrderPlaced) {
        received.add(event)
    }

    @RabbitHandler
    internal fun onOther(event: OrderEvent) {
        received.add(event)
    }
}

@Component
class Suspending {

    @RabbitListener(queues = ["any"])
    @ProcessOnce("any")
    suspend fun on(event: OrderPlaced) {
        check(event.note.isNotEmpty())
    }
}

class Closed {

    @RabbitListener(queues = ["any"])
    @ProcessOnce("any")
    fun on(event: OrderPlaced) {
        check(event.note.isNotEmpty())
    }
}

// On its own, since Spring Boot would take a class in the test for a part of the application
class Processing {

    companion object {
        @Bean
        @JvmStatic
        fun once() = ProcessOncePostProcessor(
            { true },
            { error("nothing is delivered") },
            { error("nothing is delivered") },
            { listOf() },
        )
    }
}
