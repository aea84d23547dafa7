/**
 * Users authenticated by external issuers. The local user is found by the stored link to issuer and
 * subject, or a new user is created; users are never matched by name alone.
 */
package dev.trainyard.server.identity;
