package dev.trainyard.server.db;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test class once on SQLite and once on PostgreSQL. The constructor and the methods may take
 * a {@link Db}: its tables are empty, and each test gets its own.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ClassTemplate
@ExtendWith(EveryDatabaseExtension.class)
public @interface EveryDatabase {}
