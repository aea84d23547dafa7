/**
 * Sign-in with an OpenID Connect provider. A browser is redirected to the provider and returns with
 * a code ({@link dev.trainyard.server.oidc.AuthorizationRequest}). The server exchanges the code
 * for an ID token ({@code Provider}, {@code IdTokens}), and maps the subject of the token to a user
 * ({@link dev.trainyard.server.identity.ExternalUserService}).
 */
package dev.trainyard.server.oidc;
