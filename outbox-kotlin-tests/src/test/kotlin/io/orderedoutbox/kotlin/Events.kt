/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kotlin

import io.orderedoutbox.OutboxMessage
import io.orderedoutbox.PartitionKey
import java.math.BigDecimal
import java.util.UUID

@JvmInline
value class OrderId(val value: UUID)

@OutboxMessage("order.placed")
data class OrderPlaced(@PartitionKey val orderId: UUID, val total: BigDecimal, val note: String = "none")

data class OnField(@field:PartitionKey val orderId: UUID)

data class OnGetter(@get:PartitionKey val orderId: UUID)

data class Mutable(@PartitionKey var orderId: UUID)

class InBody(orderId: UUID) {
    @PartitionKey
    val orderId: UUID = orderId
}

class Delegated(orderId: UUID) {
    @get:PartitionKey
    val orderId: UUID by lazy { orderId }
}

class Late {
    @PartitionKey
    lateinit var orderId: UUID
}

data class Internal(@PartitionKey internal val orderId: UUID)

data class InternalGetter(@get:PartitionKey internal val orderId: UUID)

data class Private(@PartitionKey private val orderId: UUID, val note: String)

data class OfValueClass(@PartitionKey val orderId: OrderId)

data class OfValueClassOnGetter(@get:PartitionKey val orderId: OrderId)

data class OfNullableValueClass(@PartitionKey val orderId: OrderId?)

data class Nullable(@PartitionKey val orderId: UUID?)

data class WithDefaults(@PartitionKey val orderId: UUID, val note: String = "none", val lines: List<Line> = emptyList())

data class Line(val product: String, val quantity: Int)

@PartitionKey("orderId")
data class OnType(val orderId: UUID)

data class Created<T>(@PartitionKey val orderId: UUID, val entity: T)

sealed interface OrderEvent {
    @get:PartitionKey
    val orderId: UUID

    val at: String
        get() = "then"
}

@OutboxMessage("order.shipped")
data class OrderShipped(override val orderId: UUID, val parcel: String) : OrderEvent

@OutboxMessage("order.cancelled")
data class OrderCancelled(override val orderId: UUID) : OrderEvent

sealed class Payment(@PartitionKey val orderId: UUID) {
    class Received(orderId: UUID, val amount: BigDecimal) : Payment(orderId)
}

// An annotation of Kotlin may stand on a property, which one of Java cannot
@PartitionKey
@Target(AnnotationTarget.PROPERTY)
annotation class Identity

sealed interface Renamed {
    @Identity
    val orderId: UUID
}

sealed interface RenamedTwice : Renamed

data class OnPropertyOfInterface(override val orderId: UUID) : Renamed

data class OnPropertyOfInterfaceFurtherUp(override val orderId: UUID) : RenamedTwice

data class OnProperty(@Identity val orderId: UUID)

@OutboxMessage("shop.opened", ordered = false)
data object ShopOpened
