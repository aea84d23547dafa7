/**
 * Users who are authenticated by external issuers. The local user is found by the stored link to
 * issuer and subject; without a link, a new user may be created. Users are never matched by name
 * alone.
 */
package dev.trainyard.server.identity;
