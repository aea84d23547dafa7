package dev.trainyard.server.identity;

/** Policy for external users that are not linked to a local user. */
public enum ProvisioningPolicy {
  /** A user is created. */
  WELCOME,
  /** A user is created, but stays disabled until an administrator enables it. */
  APPROVED,
  /** Sign-in is rejected. */
  REFUSED;

  /**
   * @param setting {@code true}, {@code approval} or {@code false}
   */
  public static ProvisioningPolicy of(String setting) {
    return switch (setting) {
      case "true" -> WELCOME;
      case "approval" -> APPROVED;
      default -> REFUSED;
    };
  }
}
