package dev.trainyard.dist;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.conditions.ArchConditions.haveSimpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Calendar;
import java.util.Date;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;

/**
 * Rules about the APIs that the server may use, each with the classes that are exempt. {@link
 * ArchitectureTest} applies them; {@link ArchitectureRulesTest} shows that each of them fails.
 */
final class ArchitectureRules {
  private static final String SERVER = "dev.trainyard.server..";

  /** Classes that poll another process, because that process cannot notify them. */
  static final Set<String> MAY_SLEEP =
      Set.of(
          // Wait for another server, or for PostgreSQL to start, before this server listens.
          "dev.trainyard.server.Leadership",
          "dev.trainyard.server.db.Lease",
          "dev.trainyard.server.db.PreviousReleaseCheck",
          "dev.trainyard.server.db.StartFailure",
          // Asks PostgreSQL for the outcome of a transaction whose connection broke.
          "dev.trainyard.server.db.CommitOutcome",
          // Retries a write that must not be lost until the outage of the database has ended.
          "dev.trainyard.server.queue.RetryingDb");

  /** Class that creates the clock; all other classes receive it. */
  static final Set<String> MAY_CREATE_CLOCK = Set.of("dev.trainyard.server.Server");

  /**
   * Classes that compose or map SQL statements of a store whose file would otherwise be too long.
   */
  static final Set<String> PARTS_OF_STORES =
      Set.of(
          "dev.trainyard.server.job.JobListQuery",
          "dev.trainyard.server.job.JobSearchQuery",
          "dev.trainyard.server.job.JobRow");

  private static final String BACKUP = "dev.trainyard.server.backup..";
  private static final String[] CORE_AND_SERVER = {
    "dev.trainyard.model..", "dev.trainyard.jobfile..", "dev.trainyard.scheduler..", SERVER
  };

  private static final DescribedPredicate<JavaClass> STORES =
      describe("are stores", type -> topLevelName(type).endsWith("Store"));

  private static final ArchCondition<JavaClass> SLEEP =
      accessTargetWhere(
          access(
              "sleeps",
              target ->
                  isMethod(target, Thread.class, "sleep")
                      || isMethod(target, TimeUnit.class, "sleep")
                      || isMethod(target, LockSupport.class, "parkNanos")
                      || isMethod(target, LockSupport.class, "parkUntil")));

  private static final ArchCondition<JavaClass> READ_THE_SYSTEM_CLOCK =
      accessTargetWhere(
          access(
              "reads or creates a clock of the system",
              target ->
                  isNowWithoutClock(target)
                      || isMethod(target, InstantSource.class, "system")
                      || (isClockOfTheSystem(target) && !hasParameter(target, Clock.class))
                      || isMethod(target, System.class, "currentTimeMillis")
                      || isMethod(target, Calendar.class, "getInstance")
                      || (isMethod(target, Date.class, "<init>") && hasNoParameters(target))));

  private static final ArchCondition<JavaClass> USE_SQL =
      dependOnClassesThat(
              resideInAPackage("org.jdbi..")
                  .and(not(equivalentTo(Handle.class)))
                  .or(resideInAnyPackage("java.sql..", "javax.sql..")))
          .or(
              accessTargetWhere(
                  access(
                      "uses a handle of Jdbi",
                      target -> target.getOwner().isEquivalentTo(Handle.class))));

  private ArchitectureRules() {}

  static ArchRule neverSleeps(Set<String> exempt) {
    return noClasses()
        .that(resideInAnyPackage(CORE_AND_SERVER).and(not(oneOf(exempt))))
        .should(SLEEP)
        .because("a sleeping thread can't be woken; wait for a condition, or use a scheduler");
  }

  static ArchRule usesTheInjectedClock(Set<String> exempt) {
    return noClasses()
        .that(resideInAnyPackage(CORE_AND_SERVER).and(not(oneOf(exempt))))
        .should(READ_THE_SYSTEM_CLOCK)
        .because("tests set the time, and retention must notice a changed clock");
  }

  /**
   * A class other than a store may open a transaction and pass its handle to a store, but may not
   * use the handle. The package backup copies complete tables with any columns.
   */
  static ArchRule sqlIsInStores(Set<String> exempt) {
    return noClasses()
        .that(
            resideInAPackage(SERVER)
                .and(not(STORES))
                .and(not(resideInAnyPackage("dev.trainyard.server.db..", BACKUP)))
                .and(not(oneOf(exempt))))
        .should(USE_SQL)
        .because("the statements on a table are found in one place");
  }

  static ArchRule partsOfStoresAreUsedByStores() {
    return classes()
        .that(oneOf(PARTS_OF_STORES))
        .should()
        .onlyBeAccessed()
        .byClassesThat(STORES.or(oneOf(PARTS_OF_STORES)));
  }

  static ArchRule openPaiHasNoSql() {
    return noClasses()
        .that()
        .resideInAPackage("dev.trainyard.server.openpai..")
        .should(USE_SQL.or(haveSimpleNameEndingWith("Store")))
        .because("the adapter has no data of its own; it calls the services of the features");
  }

  static ArchRule serverKnowsNoEngine() {
    return noClasses()
        .that()
        .resideInAPackage(SERVER)
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.trainyard.engine..")
                .and(
                    not(
                        resideInAnyPackage(
                            "dev.trainyard.engine", "dev.trainyard.engine.linux.."))))
        .because("dist chooses the engine; the server uses the interface Engine");
  }

  private static boolean isNowWithoutClock(AccessTarget target) {
    return target.getOwner().getPackageName().startsWith("java.time")
        && target.getName().equals("now")
        && !hasParameter(target, Clock.class);
  }

  private static boolean isClockOfTheSystem(AccessTarget target) {
    return target.getOwner().isEquivalentTo(Clock.class)
        && (target.getName().startsWith("system") || target.getName().startsWith("tick"));
  }

  private static boolean isMethod(AccessTarget target, Class<?> owner, String name) {
    return target.getOwner().isEquivalentTo(owner) && target.getName().equals(name);
  }

  private static boolean hasParameter(AccessTarget target, Class<?> type) {
    return target instanceof CodeUnitAccessTarget code
        && code.getRawParameterTypes().stream().anyMatch(it -> it.isEquivalentTo(type));
  }

  private static boolean hasNoParameters(AccessTarget target) {
    return target instanceof CodeUnitAccessTarget code && code.getRawParameterTypes().isEmpty();
  }

  /** Returns a predicate that matches calls as well as method references. */
  private static DescribedPredicate<JavaAccess<?>> access(
      String description, Predicate<AccessTarget> target) {
    return describe(description, access -> target.test(access.getTarget()));
  }

  private static DescribedPredicate<JavaClass> oneOf(Set<String> names) {
    return describe("are one of " + names, type -> names.contains(topLevelName(type)));
  }

  private static String topLevelName(JavaClass type) {
    return type.getName().replaceFirst("\\$.*", "");
  }
}
