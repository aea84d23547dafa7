package dev.trainyard.server.identity;

/** What becomes of somebody whom others vouch for and who is not linked with a user. */
public enum ProvisioningPolicy {
  /** They become users. */
  WELCOME,
  /** They become users who are disabled until an administrator has had a look. */
  APPROVED,
  /** They stay outside. */
  REFUSED;

  /**
   * @param setting true, approval or false
   */
  public static ProvisioningPolicy of(String setting) {
    return switch (setting) {
      case "true" -> WELCOME;
      case "approval" -> APPROVED;
      default -> REFUSED;
    };
  }
}
