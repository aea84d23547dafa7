package dev.trainyard.engine;

import java.util.Optional;

/**
 * Settings for the connection to a registry.
 *
 * @param plainHttp whether an administrator declared that the registry does not use TLS
 */
public record RegistryAccess(Optional<RegistryLogin> login, boolean plainHttp) {
  public static final RegistryAccess ANONYMOUS = new RegistryAccess(Optional.empty(), false);
}
