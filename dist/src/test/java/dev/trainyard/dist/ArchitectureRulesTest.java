package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.trainyard.server.example.AllowedStore;
import dev.trainyard.server.example.ForbiddenCalls;
import dev.trainyard.server.openpai.ForbiddenStore;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Verifies that the rules find forbidden code in classes written for this test. */
class ArchitectureRulesTest {
  private static List<String> violations(ArchRule rule, Class<?>... types) {
    JavaClasses classes = new ClassFileImporter().importClasses(types);
    return rule.allowEmptyShould(true).evaluate(classes).getFailureReport().getDetails();
  }

  /** Checks that the rule reports every method of a class. */
  private static void assertFinds(ArchRule rule, Class<?> type) {
    String report = String.join("\n", violations(rule, type));
    List<String> methods =
        Arrays.stream(type.getDeclaredMethods())
            .filter(method -> !method.isSynthetic())
            .map(Method::getName)
            .toList();
    assertThat(methods)
        .isNotEmpty()
        .allSatisfy(name -> assertThat(report).contains("." + name + "("));
  }

  @Test
  void neverSleeps_findsEveryKindOfSleep() {
    assertFinds(ArchitectureRules.neverSleeps(Set.of()), ForbiddenCalls.Sleeps.class);
  }

  @Test
  void usesTheInjectedClock_findsEveryClockOfTheSystem() {
    assertFinds(ArchitectureRules.usesTheInjectedClock(Set.of()), ForbiddenCalls.Clocks.class);
  }

  @Test
  void usesTheInjectedClock_allowsInjectedClock() {
    assertThat(
            violations(
                ArchitectureRules.usesTheInjectedClock(Set.of()),
                ForbiddenCalls.AllowedClocks.class))
        .isEmpty();
  }

  @Test
  void sqlIsInStores_findsStatementsElsewhere() {
    assertFinds(ArchitectureRules.sqlIsInStores(Set.of()), ForbiddenCalls.Statements.class);
  }

  @Test
  void sqlIsInStores_allowsStoresAndTheirCallers() {
    assertThat(
            violations(
                ArchitectureRules.sqlIsInStores(Set.of()),
                AllowedStore.class,
                ForbiddenCalls.HandlePassedOn.class))
        .isEmpty();
  }

  @Test
  void openPaiHasNoSql_findsAStore() {
    assertThat(violations(ArchitectureRules.openPaiHasNoSql(), ForbiddenStore.class))
        .anyMatch(line -> line.contains("count("))
        .anyMatch(line -> line.contains("simple name"));
  }

  @Test
  void serverKnowsNoEngine_findsAnImplementation() {
    assertFinds(ArchitectureRules.serverKnowsNoEngine(), ForbiddenCalls.ChosenEngine.class);
  }
}
