/** Sign-in and sign-out. */
package dev.trainyard.server.session;
