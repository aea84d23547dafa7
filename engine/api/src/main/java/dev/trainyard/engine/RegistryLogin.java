package dev.trainyard.engine;

/** Who somebody is for a registry. Never prints its password. */
public record RegistryLogin(String user, String password) {
  @Override
  public String toString() {
    return user;
  }
}
