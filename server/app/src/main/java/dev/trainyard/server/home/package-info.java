/** What people see first. */
package dev.trainyard.server.home;
