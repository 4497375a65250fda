package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.rabbitmq.client.SocketConfigurator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets of a connection factory, so that they can be cut.
 * <p>
 * A client that closes or aborts a connection has to write to it first. Where the broker
 * no longer reads, that write waits behind those of the messages and nobody ever gets
 * through. Cutting the socket ends every such wait at once.
 */
final class RabbitSockets implements SocketConfigurator {

	private static final Logger logger = LoggerFactory.getLogger(RabbitSockets.class);

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	@Override
	public void configure(Socket socket) {
		this.sockets.removeIf(Socket::isClosed);
		this.sockets.add(socket);
	}

	/**
	 * Close all sockets without a word to the other side.
	 */
	void cut() {
		for (Socket socket : this.sockets) {
			try {
				socket.setSoLinger(true, 0);
				socket.close();
			}
			catch (IOException ex) {
				logger.debug("A socket could not be closed: it is closed already", ex);
			}
		}
		this.sockets.removeIf(Socket::isClosed);
	}

}
