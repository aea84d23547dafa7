package dev.trainyard.engine.testkit;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * Reports each test of a class as skipped, with the reason, if a {@link Requirement} is missing in
 * the setup of the class. Without this extension, Surefire reports a class without tests and
 * without a reason. JUnit loads this class as a service in every module that depends on this
 * module.
 */
public final class SkippedClassReports implements InvocationInterceptor, ExecutionCondition {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SkippedClassReports.class);
  private static final String REASON = "reason";

  @Override
  public void interceptBeforeAllMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    if (reason(context) != null) {
      invocation.skip(); // the further setup may depend on the missing requirement
      return;
    }
    try {
      invocation.proceed();
    } catch (TestAbortedException e) {
      context.getStore(NAMESPACE).put(REASON, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    String reason = reason(context);
    return reason == null
        ? ConditionEvaluationResult.enabled("")
        : ConditionEvaluationResult.disabled(reason);
  }

  private static String reason(ExtensionContext context) {
    return context.getStore(NAMESPACE).get(REASON, String.class);
  }
}
