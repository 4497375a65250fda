-- A script of an application, which forgets our tables
CREATE TABLE outbox_of_the_application (id INT PRIMARY KEY);
