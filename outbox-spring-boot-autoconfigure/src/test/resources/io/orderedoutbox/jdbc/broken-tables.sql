nonsense;
CREATE TABLE outbox_after_the_error (id INT PRIMARY KEY);
