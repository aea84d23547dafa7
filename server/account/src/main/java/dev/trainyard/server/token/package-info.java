/**
 * Bearer tokens of users and jobs. Tokens of users are opaque, are stored as hashes and can be
 * revoked at any time.
 */
package dev.trainyard.server.token;
