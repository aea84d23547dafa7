/** Sign-in by an OpenID Connect provider: who may come in is decided elsewhere, and told here. */
package dev.trainyard.server.oidc;
