/**
 * People whom somebody outside vouches for, and which users they are: found by a link of issuer and
 * subject, or made new; never by a name alone.
 */
package dev.trainyard.server.identity;
