/**
 * Sign-in by an OpenID Connect provider. A browser goes to the provider and comes back with a code
 * ({@link dev.trainyard.server.oidc.AuthorizationRequest}), the provider turns the code into a proof ({@code
 * Provider}, {@code IdTokens}), and the person in it becomes a user ({@link
 * dev.trainyard.server.identity.ExternalUserService}).
 */
package dev.trainyard.server.oidc;
