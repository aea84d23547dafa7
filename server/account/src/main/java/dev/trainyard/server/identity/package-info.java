/**
 * Users authenticated by external issuers. A local user is found by the link of issuer and subject,
 * or created; never matched by name alone.
 */
package dev.trainyard.server.identity;
