package io.orderedoutbox.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;

import io.orderedoutbox.publish.OutboxTransactionListener;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Adds the outbox to every transaction manager, those that the application defines itself
 * included: Boot's own customizers only reach the ones that Boot makes.
 */
final class OutboxTransactionListenerRegistrar implements BeanPostProcessor {

	private final ObjectProvider<OutboxTransactionListener> listener;

	OutboxTransactionListenerRegistrar(ObjectProvider<OutboxTransactionListener> listener) {
		this.listener = listener;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ConfigurableTransactionManager transactionManager) {
			register(transactionManager, this.listener.getObject());
		}
		return bean;
	}

	static void register(ConfigurableTransactionManager transactionManager, TransactionExecutionListener listener) {
		Collection<TransactionExecutionListener> present = transactionManager.getTransactionExecutionListeners();
		if (!present.contains(listener)) {
			// A copy: the collection that the application has set may not be modifiable
			Collection<TransactionExecutionListener> all = new ArrayList<>(present);
			all.add(listener);
			transactionManager.setTransactionExecutionListeners(all);
		}
	}

}
