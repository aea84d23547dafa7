/** Sign-in with passwords of an LDAP directory, which are verified by a simple bind. */
package dev.trainyard.server.ldap;
