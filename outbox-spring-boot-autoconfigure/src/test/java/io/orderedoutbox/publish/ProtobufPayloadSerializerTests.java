/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.contract.PayloadSerializerContract;
import io.orderedoutbox.testing.OrderPlaced;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The example of a serializer for Protocol Buffers keeps the contract.
 */
@Tag("unit")
class ProtobufPayloadSerializerTests extends PayloadSerializerContract {

	// What protoc would generate from: message OrderShipped { string order_id = 1; int32
	// boxes = 2; }
	private static final Descriptor ORDER_SHIPPED = descriptor();

	@Override
	protected PayloadSerializer serializer() {
		return new ProtobufPayloadSerializer(new JsonPayloadSerializer(JsonMapper.shared()));
	}

	@Override
	protected Object event(int number) {
		return new OrderShipped("order-" + number,
				DynamicMessage.newBuilder(ORDER_SHIPPED)
					.setField(ORDER_SHIPPED.findFieldByName("order_id"), "order-" + number)
					.setField(ORDER_SHIPPED.findFieldByName("boxes"), number)
					.build());
	}

	@Override
	protected Object read(Payload payload) {
		try {
			DynamicMessage read = DynamicMessage.parseFrom(ORDER_SHIPPED, payload.body());
			return new OrderShipped((String) read.getField(ORDER_SHIPPED.findFieldByName("order_id")), read);
		}
		catch (InvalidProtocolBufferException ex) {
			throw new IllegalArgumentException("The payload is no message of Protocol Buffers", ex);
		}
	}

	@Override
	protected String contentType() {
		return "application/x-protobuf";
	}

	@Test
	void otherEventsAreJsonAsBefore() {
		assertThat(serializer().serialize(new OrderPlaced("a", 1)).contentType()).isEqualTo("application/json");
	}

	private static Descriptor descriptor() {
		DescriptorProto message = DescriptorProto.newBuilder()
			.setName("OrderShipped")
			.addField(FieldDescriptorProto.newBuilder().setName("order_id").setNumber(1).setType(Type.TYPE_STRING))
			.addField(FieldDescriptorProto.newBuilder().setName("boxes").setNumber(2).setType(Type.TYPE_INT32))
			.build();
		FileDescriptorProto file = FileDescriptorProto.newBuilder()
			.setName("order_shipped.proto")
			.setSyntax("proto3")
			.addMessageType(message)
			.build();
		try {
			return FileDescriptor.buildFrom(file, new FileDescriptor[0]).findMessageTypeByName("OrderShipped");
		}
		catch (DescriptorValidationException ex) {
			throw new IllegalStateException("The descriptor is wrong", ex);
		}
	}

	@OutboxMessage("order.shipped")
	record OrderShipped(@PartitionKey String orderId,
			MessageLite body) implements ProtobufPayloadSerializer.ProtobufEvent {

	}

}
